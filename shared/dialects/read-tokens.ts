import type { SlotRole } from '../text/index.ts';
import { isMembers, type Reading } from './reading.ts';
import { KNOWN_NAMES } from './vocabulary.ts';

/** What log probabilities say: the answer once more, token by token, and the tokens it might have been. */
export interface Tokens {
  said: string;
  readonly others: Set<string>;
}

/** One slot for the tokens in a row and one for all the others, instead of one for each of thousands. */
export function readTokens(reading: Reading, logprobs: unknown, path: string, role: SlotRole): void {
  const tokens: Tokens = { said: '', others: new Set() };
  collectTokens(tokens, logprobs);
  if (tokens.said !== '') reading.joined(path, role, tokens.said, []);
  if (tokens.others.size > 0) reading.joined(`${path}~others`, 'metadata', [...tokens.others].join('\n'), []);
}

export function collectTokens(tokens: Tokens, value: unknown, isAlternative = false, depth = 0): void {
  if (depth > 100) return;
  if (typeof value === 'string') {
    tokens.others.add(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collectTokens(tokens, item, isAlternative, depth + 1);
  } else if (isMembers(value)) {
    for (const name in value) {
      const member = value[name];
      if (!KNOWN_NAMES.has(name)) tokens.others.add(name);
      if (name === 'token' && typeof member === 'string' && !isAlternative) tokens.said += member;
      else if (typeof member === 'object' || typeof member === 'string') {
        collectTokens(tokens, member, isAlternative || name === 'top_logprobs', depth + 1);
      }
    }
  }
}
