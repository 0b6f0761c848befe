import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import type { TestProvider } from '../../test/support/test-provider.ts';

/** The parts of a step: the real client packages, set up as in the README, and the provider. */
export interface DemoParts {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  readonly provider: TestProvider;
}

/** The gateway's result for one request, from the `X-Service-*` headers. */
export interface Verdict {
  readonly decision: string;
  readonly threat: string;
  readonly confidence: string;
}

export interface Outcome {
  readonly verdict: Verdict;
  /** One line for the reader. */
  readonly happened: string;
}

export interface Step {
  readonly client: 'openai' | 'anthropic';
  readonly request: string;
  readonly due: 'allow' | 'redact' | 'block';
  /** Throws if the result is unexpected. */
  run(parts: DemoParts): Promise<Outcome>;
}

export function readVerdict(headers: Headers | undefined): Verdict {
  const read = (name: string): string => headers?.get(`x-service-${name}`) ?? 'missing';
  return { decision: read('decision'), threat: read('threat-type'), confidence: read('confidence') };
}

/** Fails a step with the expected and the actual value. */
export function expectEqual(what: string, came: unknown, due: unknown): void {
  if (JSON.stringify(came) !== JSON.stringify(due)) {
    throw new Error(`${what}: expected ${JSON.stringify(due)}, got ${JSON.stringify(came)}`);
  }
}

/** Resolves to the error that a client package throws; fails the step if there is none. */
export async function errorOf<E>(promise: Promise<unknown>): Promise<E> {
  try {
    await promise;
  } catch (error) {
    return error as E;
  }
  throw new Error('expected an error, got a response');
}

/** Returns the messages of an error and its causes: client packages hide "ECONNRESET" behind "Connection error.". */
export function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${withCauses(error.cause)})`;
}
