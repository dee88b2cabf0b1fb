export type { KeptAt } from "../../reports/lines.ts";
export { describeAgent } from "./describe-agent.ts";
export { CheckError, type DescribeCheckOptions } from "./describe-check.ts";
export { describeLeaseScheduler } from "./describe-lease-scheduler.ts";
export { KeptReproError } from "./kept-repro.ts";
export { race } from "./race.ts";
export { RaceError } from "./race-error.ts";
export type {
  ArbitraryOf,
  Race,
  RaceEach,
  RaceKind,
  RaceOfCases,
  RaceOptions,
  RaceProp,
  RacePropOptions,
} from "./race-types.ts";
