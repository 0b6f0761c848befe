export type BodyErrorReason =
  | 'not_utf8'
  | 'not_json'
  | 'duplicate_key'
  | 'too_deep'
  | 'lone_surrogate'
  | 'too_many_texts'
  | 'wrong_shape';

/** Thrown for a body that is rejected. The message is a sentence for people; it contains no text of the body. */
export class BodyError extends Error {
  readonly reason: BodyErrorReason;
  /** JSON Pointer of the invalid part, if there is a single one; made of the provider's own member names. */
  readonly pointer: string | null;

  constructor(reason: BodyErrorReason, message: string, pointer: string | null = null) {
    super(message);
    this.name = 'BodyError';
    this.reason = reason;
    this.pointer = pointer;
  }
}
