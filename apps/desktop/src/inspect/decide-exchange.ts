import { decideNow } from '@csg/shared/decision';
import type { BlockReply } from '@csg/shared/providers';
import type { Replacement } from '@csg/shared/text';
import { blockReplyOf } from './block-reply.ts';
import type { CompiledPolicy } from './compile-policy.ts';
import type { DeviceVerdict } from './decide-texts.ts';
import type { DecisionEvent } from './decision-event.ts';
import { type Evaluation, evaluationOf, exchangeEvaluation } from './evaluation.ts';
import { type ExchangeFacts, exchangeOf } from './exchange-facts.ts';
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

type Facts = Omit<ExchangeFacts, 'turn' | 'outcomes'>;

/**
 * Decides a request or a response from the known facts, by the steps of the service. The service's verdict has
 * precedence; without one the engine on the device evaluates under the same policy; `failClosed` decides only what
 * neither could read.
 */
export function decideExchange(compiled: CompiledPolicy, facts: ExchangeFacts): Action {
  const exchange = exchangeOf(compiled, facts);
  return actionOf(compiled, facts, exchangeEvaluation(decideNow(exchange.facts), exchange, facts));
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
