import type { Direction } from '@csg/shared/contract';
import type { PolicyContext } from '@csg/shared/detection';
import type { DigestOf } from '@csg/shared/streaming';
import type { CompiledPolicy } from './compile-policy.ts';
import { type Action, decideExchange } from './decide-exchange.ts';
import type { GuardOutcome, RequestGuard } from './device-policy.ts';
import { isRefused } from './exchange-facts.ts';
import { planTurn, type Turn } from './plan-turn.ts';
import type { RequestReading } from './request-reading.ts';
import { rememberTurn } from './service-evaluation.ts';
import { NO_MEMORY, type TextMemory } from './text-memory.ts';

/** One request, with the policy that applied on its arrival. */
export interface InspectedRequest {
  readonly compiled: CompiledPolicy;
  readonly host: string;
  /** Includes the query. */
  readonly path: string;
  readonly method: string;
  /** Names and values in turn, as they came; absent: they were read before. */
  readonly rawHeaders?: readonly string[];
  /** True if its credential signs the body: the provider would reject a changed body with a misleading error. */
  readonly isSigned?: boolean;
}

/** Access to the service for verdicts. */
export interface GuardAccess {
  /** The service's address: a computer may move to another service. */
  readonly service: string;
  readonly guard: RequestGuard;
  readonly deadlineMs: number;
}

/** Identifies the rules that apply to a request: texts evaluated under other rules are evaluated again. */
export type ScopeOf = (service: string, compiled: CompiledPolicy, policyContext: PolicyContext) => string;

/** Dependencies of an evaluation other than the text. */
export interface EvaluationTools {
  /** Null: there is no service, the device decides. */
  readonly access: GuardAccess | null;
  /** The texts that were evaluated before. */
  readonly memory: TextMemory;
  readonly scopeOf: ScopeOf;
  /** Digest of masked values, keyed for this device. */
  readonly maskDigest: DigestOf;
  readonly now: () => number;
  readonly newEventId: () => string;
}

export interface Evaluation {
  readonly action: Action;
  /** True if the service was asked and gave no verdict. */
  readonly isUnanswered: boolean;
}

/** Requests verdicts on new texts, and decides by the verdicts or their absence. */
export async function evaluateReading(
  { compiled, host, path, method }: InspectedRequest,
  direction: Direction,
  reading: RequestReading,
  tools: EvaluationTools,
): Promise<Evaluation> {
  const memory = direction === 'input' ? tools.memory : NO_MEMORY;
  // What is refused in any case is sent to nobody.
  const access = isRefused(compiled, { host, reading, nowMs: tools.now() }) ? null : tools.access;
  const scope = tools.scopeOf(tools.access?.service ?? '', compiled, {
    host,
    model: reading.model,
    atMs: tools.now(),
  });
  const turn = planTurn({ reading, direction, host, scope, workspace: compiled.workspace }, memory);
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
    isAnswered: (id) => tools.memory.isAnswered(host, id),
    nowMs: tools.now(),
    newEventId: tools.newEventId(),
  });
  return { action, isUnanswered: outcomes?.some(({ kind }) => kind === 'no-answer') ?? false };
}

/** Requests the parts one at a time, in conversation order, and stops after a block or a missing verdict. */
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
