export interface TokenCounts {
  readonly input: number;
  /** Includes tokens that a provider reports only as a part of its total, such as reasoning. */
  readonly output: number;
}

/**
 * Returns a response's tokens as counted by its provider, whole or as a stream. 0: not reported. In streams the counts
 * increase from frame to frame, so the largest of each kind is the final one.
 */
export function countTokens(source: string, isStream: boolean): TokenCounts {
  const counts: Counts = { input: 0, output: 0, total: 0 };
  for (const frame of isStream ? source.split(/\r?\n/) : [source]) {
    if (!/usage|InvocationMetrics/i.test(frame)) continue;
    collect(parse(isStream ? frame.replace(/^data: ?/, '') : frame), counts);
  }
  return { input: counts.input, output: Math.max(counts.output, counts.total - counts.input) };
}

interface Counts {
  input: number;
  output: number;
  total: number;
}
const USAGE = ['usage', 'usageMetadata', 'amazon-bedrock-invocationMetrics'];
type Members = Readonly<Record<string, unknown>>;

/** Collects the counts from the body, `response` (OpenAI responses) or `message` (Anthropic messages). */
function collect(body: unknown, counts: Counts): void {
  for (const one of Array.isArray(body) ? body : [body]) {
    for (const holder of [one, membersOf(one)['response'], membersOf(one)['message']]) {
      for (const name of USAGE) add(membersOf(membersOf(holder)[name]), counts);
    }
  }
}

function add(usage: Members, counts: Counts): void {
  const sum = (...names: readonly string[]) => {
    const values = names.map((name) => usage[name]);
    return values.reduce((total: number, value) => total + (isCount(value) ? value : 0), 0);
  };
  // Anthropic reports cache reads and writes separately from the input.
  const cached = sum('cache_creation_input_tokens', 'cache_read_input_tokens');
  counts.input = Math.max(
    counts.input,
    cached + sum('input_tokens', 'prompt_tokens', 'inputTokens', 'inputTokenCount', 'promptTokenCount'),
  );
  counts.output = Math.max(
    counts.output,
    sum('output_tokens', 'completion_tokens', 'outputTokens', 'outputTokenCount'),
  );
  counts.total = Math.max(counts.total, sum('total_tokens', 'totalTokens', 'totalTokenCount'));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
