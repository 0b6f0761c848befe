/** A piece of personal data or a secret: half-open UTF-16 range in the text that was read. */
export interface PiiSpan {
  readonly start: number;
  readonly end: number;
  /** One of the types of the registry. */
  readonly type: string;
  /** The recognizer or kind of key, such as `email` or `github-pat`. */
  readonly rule: string;
  readonly confidence: number;
}
