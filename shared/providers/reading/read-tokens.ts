import type { SlotPart, SlotRole, Steps } from '../../text/index.ts';
import { longNumberText } from './numbers.ts';
import { childPointer } from './path.ts';
import type { Words } from './rules.ts';
import { isJsonObject, type JsonObject, readLeaves, type TextCollector } from './text-collector.ts';

/** Texts of log probabilities: the response again, token by token, and the alternative tokens. */
export interface Tokens {
  text: string;
  readonly others: Set<string>;
  /** The bytes of tokens that spell something else than the token. */
  readonly bytes: number[];
}

export const newTokens = (others = new Set<string>()): Tokens => ({ text: '', others, bytes: [] });

/** Returns the text that such bytes spell. */
export const spelledBy = (bytes: readonly number[]): string => utf8.decode(Uint8Array.from(bytes));

const utf8 = new TextDecoder();

/** Adds one slot for the consecutive tokens and one for all alternatives, instead of thousands. */
export function* readTokens(
  collector: TextCollector,
  logprobs: unknown,
  path: string,
  role: SlotRole,
): Steps<void> {
  if (collector.isWrittenBack) {
    yield* readTokensWithPositions(collector, logprobs, path, role);
    return;
  }
  const tokens = collected(collector.rules.words, logprobs);
  if (tokens.text !== '') collector.joined(path, role, tokens.text, []);
  if (tokens.bytes.length > 0) collector.joined(`${path}~bytes`, role, spelledBy(tokens.bytes), []);
  if (tokens.others.size > 0) collector.joined(`${path}~others`, 'other', [...tokens.others].join('\n'), []);
}

/** Like readTokens, for a body that may be redacted: each token has its own path, so that a mask can replace it. */
function* readTokensWithPositions(
  collector: TextCollector,
  logprobs: unknown,
  path: string,
  role: SlotRole,
): Steps<void> {
  yield* readLeaves(collector, logprobs, path, 'other');
  const { bytes } = collected(collector.rules.words, logprobs);
  if (bytes.length > 0) collector.joined(`${path}~bytes`, role, spelledBy(bytes), []);
  const parts: SlotPart[] = [];
  let text = '';
  const walk = (value: unknown, at: string): void => {
    if (Array.isArray(value)) for (const [i, item] of value.entries()) walk(item, `${at}/${i}`);
    else if (isJsonObject(value))
      for (const name in value) walkMember(name, value[name], childPointer(at, name));
  };
  const walkMember = (name: string, member: unknown, at: string): void => {
    if (name === 'token' && typeof member === 'string') {
      parts.push({ path: at, from: 0, start: text.length, end: text.length + member.length });
      text += member;
    } else if (!ALTERNATIVES.has(name)) walk(member, at);
  };
  walk(logprobs, path);
  if (parts.length > 1) collector.joined(path, role, text, parts);
}

function collected(words: Words, logprobs: unknown): Tokens {
  const tokens = newTokens();
  collectTokens(tokens, words, logprobs);
  return tokens;
}

/** Documented numbers: one for each token, and one for each of its bytes. */
const FIGURES: ReadonlySet<string> = new Set(['logprob', 'logProbability', 'token_logprobs', 'bytes']);

/** Members with alternative tokens. */
const ALTERNATIVES: ReadonlySet<string> = new Set(['top_logprobs', 'topCandidates']);

export function collectTokens(
  tokens: Tokens,
  words: Words,
  value: unknown,
  isAlternative = false,
  depth = 0,
  isFigure = false,
): void {
  if (depth > 100) return;
  if (typeof value === 'string') {
    tokens.others.add(value);
  } else if (typeof value === 'number') {
    if (!isFigure) noteNumber(tokens, value);
  } else if (Array.isArray(value)) {
    for (const item of value) collectTokens(tokens, words, item, isAlternative, depth + 1, isFigure);
  } else if (isJsonObject(value)) {
    noteBytes(tokens, value, isAlternative);
    for (const name in value) {
      if (!words.names.has(name)) tokens.others.add(name);
      collectMember(tokens, words, name, value[name], isAlternative, depth + 1);
    }
  }
}

function noteNumber(tokens: Tokens, value: number): void {
  const text = longNumberText(value, () => undefined);
  if (text !== null) tokens.others.add(text);
}

/** Notes bytes that are not those of the token beside them. */
function noteBytes(tokens: Tokens, { token, bytes }: JsonObject, isAlternative: boolean): void {
  if (!Array.isArray(bytes)) return;
  const written = utf8Encoder.encode(typeof token === 'string' ? token : '');
  if (bytes.length === written.length && bytes.every((byte, at) => byte === written[at])) return;
  const spelled = bytes.map(Number);
  if (isAlternative) tokens.others.add(spelledBy(spelled));
  else for (const byte of spelled) tokens.bytes.push(byte);
}

const utf8Encoder = new TextEncoder();

function collectMember(
  tokens: Tokens,
  words: Words,
  name: string,
  member: unknown,
  isAlternative: boolean,
  depth: number,
): void {
  if (name === 'token' && typeof member === 'string' && !isAlternative) {
    tokens.text += member;
    return;
  }
  const isOther = isAlternative || ALTERNATIVES.has(name);
  collectTokens(tokens, words, member, isOther, depth, FIGURES.has(name));
}
