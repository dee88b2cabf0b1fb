export { race } from "./race.ts";
export { RaceError } from "./race-error.ts";
export type { Race, RaceEach, RaceKind, RaceOptions, RaceProp, RacePropOptions } from "./race-types.ts";
