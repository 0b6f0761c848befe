import {
  CodedError,
  type DecidedBy,
  type Direction,
  type FailMode,
  type UntrustedData,
  VERDICT_HEADERS,
} from '@csg/shared/contract';
import {
  attributeFindings,
  type DecideOptions,
  decide,
  EMPTY_VERDICT,
  type Finding,
  resolveRuleset,
  UnscannableTextError,
  type Verdict,
} from '@csg/shared/detection';
import { readCodeResults, type UnreadPart } from '@csg/shared/providers';
import type { Conversation, TextSlot } from '@csg/shared/text';
import type { Scanner } from '../detection-workers/scanner.ts';
import type { OpinionStore } from '../detection-workers/second-opinion.ts';
import type { DecisionRecord, ProviderCall, Storage } from '../storage/storage.ts';
import type { ConsultPolicy } from '../webhooks/policy-endpoint/consult-policy.ts';
import type { UncountedRequest } from './admit-request.ts';
import type { ConversationIdentity } from './agent/conversation-keys.ts';
import { applyAllowedTexts, textKeys } from './allowed-texts.ts';
import { applyExceptions, type ExceptedVerdict } from './approvals/apply-exceptions.ts';
import type { Principal } from './authenticate-key.ts';
import { blockUnscanned } from './block-unscanned.ts';
import { blockUnwritable } from './block-unwritable.ts';
import type { Clock } from './clock.ts';
import { decidedByPreset } from './decided-by.ts';
import { decisionNotices } from './decision-notices.ts';
import { eventFindings } from './event-findings.ts';
import { storedOpinions } from './stored-opinions.ts';
import { isTooLong, unscannableVerdict } from './unscannable.ts';

export interface EvaluateDeps {
  readonly scanner: Pick<Scanner, 'scan'>;
  /** Consults the project's own endpoint, if it has one. */
  readonly consultPolicy: ConsultPolicy;
  readonly storage: Pick<
    Storage,
    'allowedTexts' | 'conversationNotes' | 'decisions' | 'exceptions' | 'policies'
  >;
  readonly clock: Clock;
  readonly newEventId: (nowMs: number) => string;
  readonly log: { error(fields: object, message: string): void };
  readonly observe: (decision: Verdict['decision'], direction: Direction, scanMs: number) => void;
}

export interface TextsToEvaluate {
  readonly conversation: Conversation;
  readonly unscanned: readonly UnreadPart[];
  readonly direction: Direction;
  /** For responses: the developer's instructions to the model, which a response should not repeat. */
  readonly systemSlots?: readonly TextSlot[] | undefined;
  /** For responses: the same texts with masked values of the request restored. */
  readonly restoredSlots?: readonly TextSlot[] | undefined;
  /** Canonical route, such as `guard` or `chat/completions`. */
  readonly route: string;
  readonly model: string | null;
  readonly requestId: string;
  /** Host that the texts go to or come from: exceptions and policies for this host apply. */
  readonly destinationHost?: string | undefined;
  /** Name of the model provider, if any. */
  readonly provider?: string | undefined;
  /** The request to count, if this is its first decision and it was not counted yet. */
  readonly usage?: UncountedRequest | null;
  /** Address of the client, for the project's webhook. */
  readonly ipAddress?: string | undefined;
  /**
   * Set if masks are written into what is forwarded: prefixes of the paths they are written at. Content that has to be
   * masked at any other place is blocked.
   */
  readonly writtenUnder?: readonly string[];
  /** True if a passage of untrusted data can be withheld from what is forwarded; otherwise it is blocked instead. */
  readonly withholds?: boolean;
  /** True if tool calls were already evaluated when the model made them. */
  readonly reportsToolCalls?: boolean;
  /** Identifies the conversation in later turns; absent if the texts belong to none. */
  readonly identity?: ConversationIdentity;
  /** For responses: the conversation that they continue. */
  readonly follows?: Conversation | undefined;
  /** The provider call that returned these texts, counted with the decision. */
  readonly call?: ProviderCall | undefined;
  /** The request that contains the texts: it shows which tools returned them. */
  readonly body?: unknown;
}

export interface Evaluation extends Pick<Verdict, 'decision' | 'confidence' | 'threatType'> {
  readonly eventId: string;
  readonly verdict: ExceptedVerdict;
  readonly scanMs: number;
  /** True if nothing was scanned, because the engine could not run and the project fails open. */
  readonly isUnscanned: boolean;
}

/**
 * Scans, decides and records, in this order; resolves once the record is committed, so that whatever follows is
 * preceded by its event and audit row. If the engine cannot run, the project's fail_mode decides: `open` allows,
 * `closed` rejects with detection_unavailable; both are recorded as failed. A text that cannot be scanned is blocked.
 * If the queue is full, it rejects with service_unavailable and records nothing.
 */
export function evaluateTexts(
  deps: EvaluateDeps,
  principal: Principal,
  texts: TextsToEvaluate,
  /** Further decisions, which can only tighten the verdict. */
  decideLast: (verdict: ExceptedVerdict, eventId: string) => Promise<ExceptedVerdict> = async (verdict) =>
    verdict,
): Promise<Evaluation> {
  const { direction, destinationHost: host, provider, model } = texts;
  const { slots } = texts.conversation;
  const scan = async (): Promise<ExceptedVerdict> => {
    if (slots.some(isTooLong)) throw new UnscannableTextError('too_long');
    const { conversation, reportsToolCalls } = texts;
    const scanned = await scanBoth(deps, principal, texts);
    const found = attributeFindings(scanned, conversation, {
      direction,
      ...(reportsToolCalls === undefined ? {} : { reportsToolCalls }),
      isCode: codeSlots(texts.body),
    });
    const untrustedData = untrustedDataOf(principal, texts);
    const ruleset = resolveRuleset(principal.ruleset.compiled, {
      host,
      provider,
      model,
      atMs: deps.clock.now(),
    });
    const decided = decide(found, ruleset, direction, { untrustedData });
    if (decided.decision === 'allow') return decided;
    const textKeyOf = textKeys(deps, principal, slots);
    const decideWith = (isExcused: NonNullable<DecideOptions['isExcused']>): Verdict =>
      decide(found, ruleset, direction, { isExcused, untrustedData });
    const { verdict, isAllowed } = await applyAllowedTexts(deps, principal, textKeyOf, decided, decideWith);
    if (verdict.decision === 'allow' || host === undefined) return { ...verdict, textKeyOf };
    const { identity, follows } = texts;
    const inConversation = identity === undefined ? null : { conversation, identity, follows };
    const excepted = await applyExceptions(deps, principal, host, inConversation, verdict, (isExcused) =>
      decideWith((finding, policyId) => isAllowed(finding) || isExcused(finding, policyId)),
    );
    return { ...excepted, textKeyOf };
  };
  return evaluateWith(
    deps,
    principal,
    texts,
    { failMode: principal.failMode },
    scan,
    async (verdict, eventId) => {
      const read = await blockUnscanned(deps, principal, texts, verdict);
      const evaluated =
        principal.policyWebhook === null ? read : await deps.consultPolicy(principal, texts, eventId, read);
      const writable = texts.writtenUnder !== undefined ? blockUnwritable(evaluated, slots) : evaluated;
      return decideLast(writable, eventId);
    },
  );
}

/** Reads the body only when a finding needs it. */
function codeSlots(body: unknown): (slot: TextSlot) => boolean {
  if (body === undefined) return () => false;
  let isCode: ReturnType<typeof readCodeResults> | undefined;
  return ({ path }) => {
    isCode ??= readCodeResults(body);
    return isCode(path);
  };
}

/** Scans for personal data and secrets in the original texts, and for attacks also in those with restored values. */
async function scanBoth(
  deps: Pick<EvaluateDeps, 'log' | 'scanner' | 'storage'>,
  principal: Principal,
  { conversation, identity, restoredSlots, systemSlots, direction }: TextsToEvaluate,
): Promise<readonly Finding[]> {
  const { slots } = conversation;
  const scan = (texts: readonly TextSlot[], opinions?: OpinionStore): Promise<readonly Finding[]> =>
    deps.scanner.scan(principal, texts, principal.ruleset, direction, systemSlots, opinions);
  // Opinions are not cached for responses, which are evaluated only once.
  const isKept = identity !== undefined && direction === 'input';
  const scanned = await scan(
    slots,
    isKept ? storedOpinions(deps, principal, { conversation, identity }) : undefined,
  );
  if (restoredSlots === undefined) return scanned;
  const isAttack = ({ pii, policyId, type }: Finding): boolean =>
    pii === undefined && policyId === undefined && type !== 'secret_leak' && type !== 'pii_leak';
  const restored = (await scan(restoredSlots)).filter(isAttack);
  const isKnown = (one: Finding): boolean =>
    slots[one.slot] === undefined || scanned.some(({ slot, rule }) => slot === one.slot && rule === one.rule);
  return [...scanned, ...restored.filter((one) => !isKnown(one))];
}

function untrustedDataOf({ settings }: Principal, { withholds }: TextsToEvaluate): UntrustedData {
  const setting = settings.untrusted_data;
  return setting === 'withhold' && withholds !== true ? 'block' : setting;
}

/** What happens if the engine cannot run. */
export interface OnFailure {
  readonly failMode: FailMode;
  /** Error message that replaces the usual one. */
  readonly message?: string;
}

/**
 * Like `evaluateTexts`, for a verdict that `work` computes in its own way. `finish` adds further decisions, also if the
 * engine could not run and fail_mode allows that.
 */
export async function evaluateWith(
  deps: Omit<EvaluateDeps, 'scanner'>,
  principal: Principal,
  texts: TextsToEvaluate,
  { failMode, message }: OnFailure,
  work: (eventId: string) => Promise<ExceptedVerdict>,
  finish: (verdict: ExceptedVerdict, eventId: string) => Promise<ExceptedVerdict> = async (verdict) =>
    verdict,
): Promise<Evaluation> {
  const startedMs = deps.clock.elapsed();
  let verdict: ExceptedVerdict = EMPTY_VERDICT;
  let failure: ScanFailure | null = null;
  const eventId = deps.newEventId(deps.clock.now());
  try {
    verdict = await work(eventId);
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    if (cause instanceof UnscannableTextError) verdict = unscannableVerdict(cause);
    else failure = { cause, failMode, reason: cause instanceof Error ? cause.name : 'Error' };
    if (failure?.failMode === 'closed') verdict = { ...EMPTY_VERDICT, decision: 'block' };
    deps.log.error(
      { err: cause, project_id: principal.projectId, fail_mode: failMode, direction: texts.direction },
      failure === null ? 'a text cannot be scanned, and is blocked' : 'a scan could not run',
    );
  }
  if (failure?.failMode !== 'closed') verdict = await finish(verdict, eventId);
  const scanMs = deps.clock.elapsed() - startedMs;
  const atMs = deps.clock.now();
  await deps.storage.decisions.record(
    decisionRecord(principal, texts, verdict, failure, { eventId, atMs, scanMs }),
  );
  deps.observe(verdict.decision, texts.direction, scanMs);
  if (failure?.failMode === 'closed') {
    throw detectionUnavailable(eventId, failure.cause, message);
  }
  const { decision, confidence, threatType } = verdict;
  return { eventId, decision, confidence, threatType, verdict, scanMs, isUnscanned: failure !== null };
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

interface ScanFailure {
  readonly cause: unknown;
  readonly reason: string;
  readonly failMode: FailMode;
}

const UNREADABLE =
  'The scan could not run, and the fail_mode of the project blocks unscanned texts (closed).';

function decidedBy(
  { ruleset: { input } }: Principal,
  verdict: ExceptedVerdict,
  failure: ScanFailure | null,
): DecidedBy {
  if (verdict.decidedBy !== undefined) return verdict.decidedBy;
  if (failure !== null) return { kind: 'setting', id: 'fail_mode' };
  return decidedByPreset(input);
}

/** Returns the event and its audit row: positions and rules, never text. */
function decisionRecord(
  principal: Principal,
  texts: TextsToEvaluate,
  verdict: ExceptedVerdict,
  failure: ScanFailure | null,
  facts: { readonly eventId: string; readonly atMs: number; readonly scanMs: number },
): DecisionRecord {
  const { decision, confidence, threatType } = verdict;
  return {
    ...(texts.usage ? { usage: texts.usage } : {}),
    call: texts.call,
    ...decisionNotices(principal, texts, verdict, failure === null ? null : UNREADABLE, facts),
    event: {
      id: facts.eventId,
      organizationId: principal.organizationId,
      projectId: principal.projectId,
      keyId: principal.keyId,
      deviceId: principal.deviceId,
      requestId: texts.requestId,
      direction: texts.direction,
      route: texts.route,
      model: texts.model,
      decision,
      threatType,
      confidence,
      findings: eventFindings(texts.conversation.slots, verdict),
      unscanned: texts.unscanned.map(({ index, reason }) => ({ at: index, reason })),
      failed: failure && { reason: failure.reason, failMode: failure.failMode },
      latencyUs: Math.round(facts.scanMs * 1000),
      atMs: facts.atMs,
      decidedBy: decidedBy(principal, verdict, failure),
    },
    audit: {
      kind: decision === 'block' ? 'policy_block' : 'policy_allow',
      actor: principal.deviceId ?? principal.keyId,
      subject: facts.eventId,
      atMs: facts.atMs,
      // Sorted by name, as stored; storage fills in the digest of the event at its place.
      data: {
        decision,
        direction: texts.direction,
        event_sha256: null,
        project_id: principal.projectId,
        route: texts.route,
        threat_type: threatType,
        ...(verdict.exceptionIds === undefined ? {} : { exception_ids: [...verdict.exceptionIds] }),
        ...(failure === null ? {} : { scan_failed: true, fail_mode: failure.failMode }),
      },
    },
  };
}
