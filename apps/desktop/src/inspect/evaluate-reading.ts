import type { Direction } from '@csg/shared/contract';
import type { PolicyContext } from '@csg/shared/detection';
import type { DigestOf } from '@csg/shared/release';
import type { CompiledPolicy } from './compile-policy.ts';
import { type Action, decideExchange } from './decide-exchange.ts';
import type { GuardOutcome, RequestGuard } from './device-policy.ts';
import { planTurn, type Turn } from './plan-turn.ts';
import type { RequestReading } from './request-reading.ts';
import { rememberTurn } from './service-evaluation.ts';
import { NO_MEMORY, type TextMemory } from './text-memory.ts';

/** One request on its way, under the policy that held when it came. */
export interface InspectedRequest {
  readonly compiled: CompiledPolicy;
  readonly host: string;
  /** With its query. */
  readonly path: string;
  readonly method: string;
  /** Its credential signs the body: a changed one would be rejected for a reason that explains nothing. */
  readonly isSigned?: boolean;
}

/** The service, as it is asked for a verdict. */
export interface GuardAccess {
  /** Its address: a computer may move to another one. */
  readonly service: string;
  readonly guard: RequestGuard;
  readonly deadlineMs: number;
}

/** Names the rules that count for a request: what was evaluated under others is evaluated anew. */
export type ScopeOf = (service: string, compiled: CompiledPolicy, policyContext: PolicyContext) => string;

/** What evaluating needs beside the text itself. */
export interface EvaluationTools {
  /** Null: there is no service, the device decides. */
  readonly access: GuardAccess | null;
  /** Of the texts that were evaluated before. */
  readonly memory: TextMemory;
  readonly scopeOf: ScopeOf;
  /** Of the values that are masked, with a key of this device. */
  readonly maskDigest: DigestOf;
  readonly now: () => number;
  readonly newEventId: () => string;
}

export interface Evaluation {
  readonly action: Action;
  /** The service was asked and gave no verdict. */
  readonly isUnanswered: boolean;
}

/** Asks the service about what is new, and decides by what it says or does not say. */
export async function evaluateReading(
  { compiled, host, path, method }: InspectedRequest,
  direction: Direction,
  reading: RequestReading,
  tools: EvaluationTools,
): Promise<Evaluation> {
  const memory = direction === 'input' ? tools.memory : NO_MEMORY;
  const { access } = tools;
  const scope = tools.scopeOf(access?.service ?? '', compiled, {
    host,
    model: reading.model,
    atMs: tools.now(),
  });
  const turn = planTurn({ reading, direction, host, scope }, memory);
  const outcomes = turn === null || access === null ? null : await requestParts(turn, access);
  if (turn !== null) rememberTurn(turn, outcomes ?? [], reading.slots, memory);
  const action = decideExchange(compiled, {
    host,
    path,
    method,
    direction,
    reading,
    turn,
    outcomes,
    nowMs: tools.now(),
    newEventId: tools.newEventId(),
  });
  return { action, isUnanswered: outcomes?.some(({ kind }) => kind === 'no-answer') ?? false };
}

/** One after the other, as they stand in the conversation; what comes after a block or a silence is not asked about. */
export async function requestParts(
  { parts }: Turn,
  { guard, deadlineMs }: Pick<GuardAccess, 'guard' | 'deadlineMs'>,
): Promise<readonly GuardOutcome[]> {
  const outcomes: GuardOutcome[] = [];
  for (const { question } of parts) {
    const outcome = await guard(question.request, deadlineMs);
    outcomes.push(outcome);
    if (outcome.kind === 'no-answer' || outcome.response.decision === 'block') break;
  }
  return outcomes;
}
