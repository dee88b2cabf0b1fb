import { benchCoreModel } from "./core-model.bench.ts";
import { benchGrowth } from "./growth.bench.ts";
import { benchModel } from "./model.bench.ts";

// `-- core` and `-- spin` ask for one alone; the first takes long, so only those who ask get it.
const { argv } = process;
if (argv.includes("core")) await benchCoreModel();
else await benchModel();
if (!argv.includes("core") && !argv.includes("spin")) await benchGrowth();
