export { type RaceOptions, race } from "./race.ts";
export { RaceError } from "./race-error.ts";
