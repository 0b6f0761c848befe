import type { Steps } from '../text/index.ts';
import { piecesOf } from './reading/read-stream.ts';

export interface TokenCounts {
  readonly input: number;
  /** Includes tokens that a provider reports only as a part of its total, such as reasoning. */
  readonly output: number;
}

/**
 * Returns a response's tokens as counted by its provider, whole or as a stream. 0: not reported. In streams the counts
 * increase from frame to frame, so the largest of each kind is the final one.
 */
export function* countTokens(source: string, isStream: boolean): Steps<TokenCounts> {
  if (!isStream) return countTokensIn(hasUsage(source) ? parse(source) : null);
  const counts: Counts = { input: 0, output: 0, total: 0 };
  for (const piece of piecesOf(source)) {
    // Few frames have counts: most pieces are not even split.
    const frames = hasUsage(piece) ? piece.split(/\r?\n/) : [];
    for (const frame of frames) if (hasUsage(frame)) collect(parse(frame.replace(/^data: ?/, '')), counts);
    yield;
  }
  return result(counts);
}

/** The same for the body of a whole response that was parsed. */
export function countTokensIn(body: unknown): TokenCounts {
  const counts: Counts = { input: 0, output: 0, total: 0 };
  collect(body, counts);
  return result(counts);
}

function result({ input, output, total }: Counts): TokenCounts {
  return { input, output: Math.max(output, total - input) };
}

/** True if the text has a part of each name of USAGE. */
function hasUsage(text: string): boolean {
  return text.includes('usage') || text.includes('invocationMetrics');
}

interface Counts {
  input: number;
  output: number;
  total: number;
}
const USAGE = ['usage', 'usageMetadata', 'amazon-bedrock-invocationMetrics'];
type Members = Readonly<Record<string, unknown>>;
const NO_MEMBERS: Members = {};

/** Collects the counts from the body, `response` (OpenAI responses) or `message` (Anthropic messages). */
function collect(body: unknown, counts: Counts): void {
  for (const one of Array.isArray(body) ? body : [body]) {
    for (const holder of [one, membersOf(one)['response'], membersOf(one)['message']]) {
      for (const name of USAGE) {
        const usage = membersOf(holder)[name];
        if (usage !== undefined) add(membersOf(usage), counts);
      }
    }
  }
}

const INPUT = ['input_tokens', 'prompt_tokens', 'inputTokens', 'inputTokenCount', 'promptTokenCount'];
/** Anthropic reports cache reads and writes separately from the input. */
const CACHED = ['cache_creation_input_tokens', 'cache_read_input_tokens'];
const OUTPUT = ['output_tokens', 'completion_tokens', 'outputTokens', 'outputTokenCount'];
const TOTAL = ['total_tokens', 'totalTokens', 'totalTokenCount'];

function add(usage: Members, counts: Counts): void {
  counts.input = Math.max(counts.input, sumOf(usage, CACHED) + sumOf(usage, INPUT));
  counts.output = Math.max(counts.output, sumOf(usage, OUTPUT));
  counts.total = Math.max(counts.total, sumOf(usage, TOTAL));
}

function sumOf(usage: Members, names: readonly string[]): number {
  let sum = 0;
  for (const name of names) {
    const value = usage[name];
    if (isCount(value)) sum += value;
  }
  return sum;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : NO_MEMBERS;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
