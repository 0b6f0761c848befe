import type { PiiSpan } from '../pii/spans.ts';
import type { LiveReach } from '../reach.ts';

/** Recognizes one kind of secret, at a literal or at any token. */
export interface SecretRecognizer {
  readonly reach: LiveReach;
}

/** Recognizes a secret at a literal. */
export interface LiteralRecognizer extends SecretRecognizer {
  readonly literal: string;
  /** Returns the secret at the position of the literal. */
  readonly find: (text: string, at: number) => PiiSpan | undefined;
}
