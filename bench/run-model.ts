import { benchModel } from "./model.bench.ts";

await benchModel();
