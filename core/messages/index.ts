/** The texts of the lease scheduler, behind a door of their own: only who shows them to a model has to load them. */
export { type EndedEffect, type Language, refusalText } from "./refusal-text.ts";
