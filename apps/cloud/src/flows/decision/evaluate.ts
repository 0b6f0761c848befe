import { CodedError, type Direction, type FailMode, VERDICT_HEADERS } from '@csg/shared/contract';
import { decide, type Facts, type Scan, type Verdict } from '@csg/shared/decision';
import { resolveRuleset, UnscannableTextError } from '@csg/shared/detection';
import type { UnreadPart } from '@csg/shared/providers';
import type { Pace } from '@csg/shared/text';
import type { Scanner } from '../../detection-workers/scanner.ts';
import type { PacedTurns } from '../../fairness/paced-turns.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ConsultPolicy } from '../../webhooks/policy-endpoint/consult-policy.ts';
import type { Principal } from '../authenticate-key.ts';
import type { Clock } from '../clock.ts';
import { answerQuestions } from './answer-questions.ts';
import { recordDecision } from './record-decision.ts';
import { scanTexts } from './scan-texts.ts';
import type { Subject } from './subject.ts';
import { isTooLong } from './unscannable.ts';

export interface EvaluateDeps {
  readonly scanner: Pick<Scanner, 'scan'>;
  readonly pacedTurns: PacedTurns;
  /** Consults the project's own endpoint, if it has one. */
  readonly consultPolicy: ConsultPolicy;
  readonly storage: Pick<
    Storage,
    'allowedTexts' | 'conversationNotes' | 'decisions' | 'policies' | 'requests'
  >;
  readonly clock: Clock;
  readonly newEventId: (nowMs: number) => string;
  readonly log: { error(fields: object, message: string): void };
  readonly observe: (decision: Verdict['decision'], direction: Direction, scanMs: number) => void;
}

export interface Evaluation extends Pick<Verdict, 'decision' | 'confidence' | 'threatType'> {
  readonly eventId: string;
  readonly verdict: Verdict;
  readonly scanMs: number;
  /** True if nothing was scanned, because the engine could not run and the project fails open. */
  readonly isUnscanned: boolean;
}

/**
 * Scans, decides and records, in this order; resolves once the record is committed, so that whatever follows is
 * preceded by its event and audit row. If the engine cannot run, the fail mode decides: with `open` the other steps,
 * `closed` rejects with detection_unavailable; both are recorded as failed. If the queue is full, it rejects with
 * service_unavailable and records nothing.
 */
export async function evaluate(
  deps: EvaluateDeps,
  principal: Principal,
  subject: Subject,
): Promise<Evaluation> {
  const { clock, log } = deps;
  const { direction, recorded, texts, failMode = principal.failMode } = subject;
  const startedMs = clock.elapsed();
  const eventId = deps.newEventId(clock.now());
  const { scan, cause } = await scanOnce(deps, principal, subject, failMode);
  if (cause !== null) {
    const fields = { err: cause, project_id: principal.projectId, fail_mode: failMode, direction };
    const isUnscannable = scan.kind === 'unscannable';
    log.error(fields, isUnscannable ? 'a text cannot be scanned, and is blocked' : 'a scan could not run');
  }
  const answers = answerQuestions(deps, principal, subject, eventId);
  const pace: Pace = (work) => deps.pacedTurns.run(principal, work);
  const verdict = await decide(factsOf(deps, principal, subject, scan), answers.ask, subject.steps, pace);
  await answers.keepExcepted(verdict);
  const scanMs = clock.elapsed() - startedMs;
  await recordDecision(deps, principal, {
    ...{ recorded, direction, texts, delivery: subject.delivery, verdict, scan, eventId, scanMs },
    ...{ atMs: clock.now(), textKeyOf: answers.textKeyOf, cause },
  });
  deps.observe(verdict.decision, direction, scanMs);
  if (scan.kind === 'failed' && scan.failMode === 'closed')
    throw detectionUnavailable(eventId, cause, subject.failMessage);
  const { decision, confidence, threatType } = verdict;
  return { eventId, decision, confidence, threatType, verdict, scanMs, isUnscanned: scan.kind === 'failed' };
}

interface ScanOutcome {
  readonly scan: Scan;
  /** Why there are no findings. */
  readonly cause: unknown;
}

async function scanOnce(
  deps: EvaluateDeps,
  principal: Principal,
  subject: Subject,
  failMode: FailMode,
): Promise<ScanOutcome> {
  const { texts, scan = () => scanTexts(deps, principal, subject) } = subject;
  try {
    if (texts.conversation.slots.some(isTooLong)) throw new UnscannableTextError('too_long');
    return { scan: { kind: 'read', found: await scan() }, cause: null };
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    if (cause instanceof UnscannableTextError) return { scan: { kind: 'unscannable', cause }, cause };
    return { scan: { kind: 'failed', failMode }, cause: cause ?? new Error('The scan failed.') };
  }
}

function factsOf(
  { clock }: Pick<EvaluateDeps, 'clock'>,
  principal: Principal,
  { texts, delivery, withholds, destination, recorded, calls }: Subject,
  scan: Scan,
): Facts {
  const { settings, policyWebhook, projectId } = principal;
  const context = { ...destination, model: recorded.model, atMs: clock.now() };
  return {
    ...{ texts, scan, delivery, answers: {} },
    rules: {
      ruleset: resolveRuleset(principal.ruleset.compiled, context),
      untrustedData:
        settings.untrusted_data === 'withhold' && withholds !== true ? 'block' : settings.untrusted_data,
      ...(settings.on_unscanned === 'block' && { blocksUnread: unreadRule(principal) }),
      ...(policyWebhook !== null && projectId !== null && { endpoint: policyWebhook.failMode }),
    },
    calls:
      calls === undefined || calls.input.calls.length === 0
        ? null
        : { ...calls.input, request: calls.input.history?.body, flowControl: settings.flow_control },
  };
}

/**
 * Content that a provider encrypted for itself contains nothing a person wrote, so it is ignored; images and audio count
 * only if the project itself has set `block`.
 */
function unreadRule({ explicitSettings }: Principal): (part: UnreadPart) => boolean {
  const isMediaBlocked = explicitSettings.on_unscanned === 'block';
  return ({ mayHold }) => mayHold === 'text' || (mayHold === 'media' && isMediaBlocked);
}

/** Creates the error; headers and body name the same event. */
export function detectionUnavailable(eventId: string, cause: unknown, message?: string): CodedError {
  return new CodedError('detection_unavailable', {
    cause,
    ...(message === undefined ? {} : { message }),
    fields: { event_id: eventId },
    headers: {
      [VERDICT_HEADERS.eventId]: eventId,
      [VERDICT_HEADERS.decision]: 'block',
      [VERDICT_HEADERS.confidence]: '0.0',
      [VERDICT_HEADERS.threatType]: 'none',
    },
  });
}
