import { benchAbort } from "./abort.bench.ts";
import { benchExplore } from "./explore.bench.ts";

await benchExplore();
benchAbort();
