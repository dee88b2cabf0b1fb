/** What is said where a file cannot be lowered. Whatever is not lowered exactly is refused: another order would be a lie. */
export type SourcePlace = { readonly file: string; readonly line: number; readonly column: number };

export class LoweringError extends Error {
  override readonly name = "LoweringError";
  /** In the original, as far as the maps lead back. */
  readonly place: SourcePlace;

  constructor(place: SourcePlace, found: string, todo: string) {
    super(`Cannot lower ${place.file}:${place.line}:${place.column}\n  found: ${found}\n  ${todo}`);
    this.place = place;
  }
}
