import { benchAbort } from "./abort.bench.ts";
import { benchExplore } from "./explore.bench.ts";
import { benchFree } from "./free.bench.ts";
import { benchLeaks } from "./leaks.bench.ts";
import { benchMicrotask } from "./microtask.bench.ts";

await benchExplore();
await benchLeaks();
benchAbort();
await benchMicrotask();
await benchFree();
