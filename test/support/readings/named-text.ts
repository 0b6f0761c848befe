/** A text whose reading is recorded under its name. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
  /** It is about types that are looked for only where a policy names them. */
  readonly isOptIn?: boolean;
}
