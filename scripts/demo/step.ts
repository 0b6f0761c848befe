import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import type { TestProvider } from '../../test/support/test-provider.ts';

/** What a step has to work with: the real client packages, set up as the README says, and the provider behind. */
export interface DemoParts {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  readonly provider: TestProvider;
}

/** What the gateway said about one request, from the `X-Service-*` headers. */
export interface Verdict {
  readonly decision: string;
  readonly threat: string;
  readonly confidence: string;
}

export interface Outcome {
  readonly verdict: Verdict;
  /** One line for a person. */
  readonly happened: string;
}

export interface Step {
  readonly client: 'openai' | 'anthropic';
  readonly request: string;
  readonly due: 'allow' | 'redact' | 'block';
  /** Throws when something is not as told. */
  run(parts: DemoParts): Promise<Outcome>;
}

export function readVerdict(headers: Headers | undefined): Verdict {
  const read = (name: string): string => headers?.get(`x-service-${name}`) ?? 'missing';
  return { decision: read('decision'), threat: read('threat-type'), confidence: read('confidence') };
}

/** Fails a step with what was due and what came. */
export function expectEqual(what: string, came: unknown, due: unknown): void {
  if (JSON.stringify(came) !== JSON.stringify(due)) {
    throw new Error(`${what}: ${JSON.stringify(due)} was due, ${JSON.stringify(came)} came`);
  }
}

/** The error a client package throws; fails the step when there is none. */
export async function errorOf<E>(promise: Promise<unknown>): Promise<E> {
  try {
    await promise;
  } catch (error) {
    return error as E;
  }
  throw new Error('an error was due, an answer came');
}

/** An error's sentence and those of its causes: client packages hide "ECONNRESET" behind "Connection error.". */
export function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${withCauses(error.cause)})`;
}
