/** A text whose reading is recorded under its name. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
  /** The text is about types that are detected only if a policy names them. */
  readonly isOptIn?: boolean;
}
