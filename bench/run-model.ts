import { benchGrowth } from "./growth.bench.ts";
import { benchModel } from "./model.bench.ts";

await benchModel();
await benchGrowth();
