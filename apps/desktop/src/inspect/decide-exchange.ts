import type { Direction, Unscanned } from '@csg/shared/contract';
import type { BlockReply } from '@csg/shared/providers';
import type { Replacement } from '@csg/shared/text';
import { blockReplyOf } from './block-reply.ts';
import { activeExceptions, type CompiledPolicy } from './compile-policy.ts';
import type { DeviceVerdict } from './decide-texts.ts';
import type { DecisionEvent, DecisionReason } from './decision-event.ts';
import type { GuardOutcome } from './device-policy.ts';
import { evaluateTurn } from './evaluate-turn.ts';
import { deviceEvaluation, type Evaluation, evaluationOf } from './evaluation.ts';
import type { Turn } from './plan-turn.ts';
import type { RequestReading } from './request-reading.ts';
import { secretFileOf } from './secret-file.ts';

/** The proxy's action. `event` is null if nothing needs recording: nothing was read, or the service allowed it. */
export type Action =
  | { readonly kind: 'forward'; readonly event: DecisionEvent | null }
  | {
      readonly kind: 'redact';
      readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
      readonly event: DecisionEvent;
    }
  | { readonly kind: 'block'; readonly reply: BlockReply; readonly event: DecisionEvent };

export interface ExchangeFacts {
  readonly host: string;
  readonly path: string;
  readonly method: string;
  readonly direction: Direction;
  readonly reading: Pick<
    RequestReading,
    'format' | 'slots' | 'messages' | 'unscanned' | 'files' | 'model' | 'stream' | 'problem' | 'isAmbiguous'
  >;
  /** Null: there was nothing to evaluate. */
  readonly turn: Turn | null;
  /** The service's outcomes for the parts of the turn, in order, as far as requested. Null: there is no service. */
  readonly outcomes: readonly GuardOutcome[] | null;
  readonly nowMs: number;
  /** Id for decisions made on the device. */
  readonly newEventId: string;
}

type Facts = Omit<ExchangeFacts, 'turn' | 'outcomes'>;

/**
 * Decides a request or a response from the known facts. The service's verdict has precedence; without one the engine on
 * the device evaluates under the same policy; `failClosed` decides only what neither could read.
 */
export function decideExchange(compiled: CompiledPolicy, facts: ExchangeFacts): Action {
  return actionOf(compiled, facts, evaluate(compiled, facts));
}

/** Like `decideExchange`, for a verdict that the engine on the device has already reached, such as on a stream. */
export function decideVerdict(compiled: CompiledPolicy, verdict: DeviceVerdict, facts: Facts): Action {
  return actionOf(compiled, facts, evaluationOf(verdict, facts));
}

function actionOf(compiled: CompiledPolicy, facts: Facts, evaluation: Evaluation): Action {
  const eventWith = (done: DecisionEvent['done']): DecisionEvent =>
    eventOf(compiled, facts, evaluation, done);
  if (evaluation.decision === 'allow' || compiled.policy.mode === 'monitor') {
    const isRoutine = evaluation.decision === 'allow' && evaluation.reason === null;
    return { kind: 'forward', event: isRoutine ? null : eventWith('forwarded') };
  }
  if (evaluation.decision === 'redact' && facts.direction === 'input') {
    return { kind: 'redact', replacements: evaluation.replacements, event: eventWith('redacted') };
  }
  // Responses are never rewritten: text that the policy would mask is reported and forwarded.
  if (evaluation.decision === 'redact') return { kind: 'forward', event: eventWith('forwarded') };
  return blockExchange(compiled, facts, eventWith('blocked'));
}

/** Blocks with the caller's event: also for text that could not be written after the decision. */
export function blockExchange(
  compiled: CompiledPolicy,
  facts: Pick<ExchangeFacts, 'reading' | 'direction'>,
  event: DecisionEvent,
): Extract<Action, { kind: 'block' }> {
  return {
    kind: 'block',
    reply: blockReplyOf(compiled.policy, facts.reading.format, facts.direction, event),
    event,
  };
}

function evaluate(compiled: CompiledPolicy, facts: ExchangeFacts): Evaluation {
  const { reading, turn } = facts;
  if (compiled.isBlockedTool(facts.host)) {
    return rejection(compiled, facts, 'blocked_tool', 'This tool is not allowed.');
  }
  if (reading.isAmbiguous) {
    return rejection(compiled, facts, 'ambiguous', `It is ambiguous: ${reading.problem}`);
  }
  if (turn === null) return withUnread(compiled, facts, reading.unscanned, deviceEvaluation(facts, {}));
  const { evaluation, unscanned } = evaluateTurn(compiled, { ...facts, turn });
  return withUnread(compiled, facts, unscanned, evaluation);
}

/** Blocks by the policy alone, regardless of any text; an exception for this host that names the threat lifts it. */
function rejection(compiled: CompiledPolicy, facts: Facts, reason: DecisionReason, note: string): Evaluation {
  const exception = activeExceptions(compiled.policy, facts.host, facts.nowMs).find(({ threats }) =>
    threats.includes('custom_policy'),
  );
  if (exception !== undefined) {
    return deviceEvaluation(facts, { by: 'policy', reason: 'exception', note, exceptionId: exception.id });
  }
  return deviceEvaluation(facts, {
    by: 'policy',
    decision: 'block',
    threatType: 'custom_policy',
    confidence: 1,
    reason,
    note,
  });
}

/** The only function in which a device fails open or closed. */
function withUnread(
  compiled: CompiledPolicy,
  facts: ExchangeFacts,
  unscanned: readonly Unscanned[],
  evaluation: Evaluation,
): Evaluation {
  const { problem } = facts.reading;
  // Only the provider can read what it encrypted for itself.
  const unread = problem ?? unscanned.find(({ reason }) => reason !== 'encrypted')?.detail ?? null;
  if (unread === null || evaluation.decision === 'block') return evaluation;
  if (compiled.policy.failClosed) {
    return rejection(compiled, facts, 'unread', `It could not be read: ${unread}`);
  }
  // The service has recorded its evaluation, but does not know that a part was not read.
  const id = evaluation.by === 'cloud' ? { by: 'policy' as const, eventId: facts.newEventId } : {};
  return { ...evaluation, ...id, reason: 'unread', note: `Allowed without being read: ${unread}` };
}

/** For users a file name is easier to find than a position. */
function fileNote({ direction, reading }: Facts, evaluation: Evaluation): string | null {
  const isSecret = evaluation.threatType === 'secret_leak' || evaluation.threatType === 'pii_leak';
  if (direction !== 'input' || !isSecret || evaluation.decision === 'allow') return null;
  const name = secretFileOf({ ...evaluation, slots: reading.slots });
  return name === null ? null : `the text names the file ${name}`;
}

function eventOf(
  compiled: CompiledPolicy,
  facts: Facts,
  evaluation: Evaluation,
  done: DecisionEvent['done'],
): DecisionEvent {
  return {
    eventId: evaluation.eventId,
    atMs: facts.nowMs,
    host: facts.host,
    path: facts.path.split('?', 1)[0] ?? '',
    method: facts.method,
    direction: facts.direction,
    decision: evaluation.decision,
    done,
    decidedBy: evaluation.by,
    threatType: evaluation.threatType,
    confidence: evaluation.confidence,
    reason: evaluation.reason,
    note: evaluation.note ?? fileNote(facts, evaluation),
    policyVersion: compiled.policy.policyVersion,
    findings: evaluation.findings,
    exceptionId: evaluation.exceptionId,
  };
}
