import { benchExplore } from "./explore.bench.ts";

await benchExplore();
