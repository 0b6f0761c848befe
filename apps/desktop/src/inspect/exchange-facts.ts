import type { Direction, Unscanned } from '@csg/shared/contract';
import type { Facts, Refused, ServiceAnswer } from '@csg/shared/decision';
import { type SignedBlock, signedKeys, type UnreadPart } from '@csg/shared/providers';
import { activeExceptions, type CompiledPolicy } from './compile-policy.ts';
import { deviceFacts, findTexts } from './decide-texts.ts';
import type { GuardOutcome, NoResponseReason } from './device-policy.ts';
import type { Turn } from './plan-turn.ts';
import type { RequestReading } from './request-reading.ts';
import { type ServiceEvaluation, serviceEvaluation } from './service-evaluation.ts';
import { ownTextFacts } from './text-facts.ts';

export interface ExchangeFacts {
  readonly host: string;
  readonly path: string;
  readonly method: string;
  readonly direction: Direction;
  readonly reading: Pick<
    RequestReading,
    | 'format'
    | 'slots'
    | 'messages'
    | 'unscanned'
    | 'files'
    | 'signed'
    | 'model'
    | 'stream'
    | 'value'
    | 'problem'
    | 'isAmbiguous'
  >;
  /** True for what an answer of this host had: its ids, and the keys of its signed blocks. */
  readonly isAnswered?: (id: string) => boolean;
  /** Null: there was nothing to evaluate. */
  readonly turn: Turn | null;
  /** The service's outcomes for the parts of the turn, in order, as far as requested. Null: there is no service. */
  readonly outcomes: readonly GuardOutcome[] | null;
  readonly nowMs: number;
  /** Id for decisions made on the device. */
  readonly newEventId: string;
}

/** What a decision about a request or a response rests on, and who takes part in it. */
export interface Exchange {
  readonly facts: Facts;
  readonly service: ServiceAnswer;
  /** True if the device has read texts itself, or there was none. */
  readonly isReadHere: boolean;
  /** Why the service gave no verdict; null: it gave one, or there is none. */
  readonly silence: NoResponseReason | null;
  readonly isTooLarge: boolean;
  readonly refused: Refusal | null;
  /** The first part that nobody but the provider could read. */
  readonly unread: UnreadPart | null;
}

/** Why something must not be sent to a host, whatever it contains. */
export interface Refusal extends Refused {
  readonly why: 'blocked_tool' | 'ambiguous';
}

/** Only the provider can read what it encrypted for itself. */
const isUnread = ({ reason }: UnreadPart): boolean => reason !== 'encrypted';

const NO_TURN: ServiceEvaluation = { verdicts: [], slots: [], files: [], unscanned: [] };

export function exchangeOf(compiled: CompiledPolicy, given: ExchangeFacts): Exchange {
  const { reading, turn, direction, outcomes } = given;
  const evaluation = turn === null ? NO_TURN : serviceEvaluation(turn, outcomes ?? [], reading.slots);
  const answer = serviceAnswer(given, evaluation);
  const refused = refusalOf(compiled, given);
  const isLeft = turn !== null && !isRefused(compiled, given) && !hasDecided(turn, evaluation);
  const found = isLeft
    ? findTexts(compiled, reading, direction, new Set([...evaluation.slots, ...turn.known.keys()]))
    : [];
  const unread = unreadOf(given, evaluation);
  const isAnswered = (block: SignedBlock): boolean =>
    signedKeys(block).every((key) => given.isAnswered?.(key) === true);
  const facts = deviceFacts(compiled, reading, { ...given, model: reading.model }, found);
  return {
    facts: {
      ...facts,
      texts: { ...facts.texts, ...ownTextFacts(compiled, reading), unread, signed: reading.signed },
      rules: {
        ...facts.rules,
        ...(compiled.policy.failClosed && { blocksUnread: isUnread }),
        ...(refused !== null && { refused }),
      },
      answers: { ...facts.answers, service: answer, isAnswered },
    },
    ...{ service: answer, refused },
    isReadHere: turn === null || isLeft,
    silence: outcomes?.find((one) => one.kind === 'no-answer')?.reason ?? null,
    isTooLarge: (turn?.tooLarge.length ?? 0) > 0,
    unread: unread.find(isUnread) ?? null,
  };
}

const BY = {
  blocked_tool: { kind: 'setting', id: 'blocked_tools' },
  ambiguous: { kind: 'limit', id: 'ambiguous' },
} as const satisfies Record<Refusal['why'], unknown>;

/** True if the policy refuses it regardless of any text, and no exception allows it: nobody has to read it. */
export function isRefused(compiled: CompiledPolicy, given: RefusableFacts): boolean {
  return refusalOf(compiled, given)?.exceptionId === null;
}

type RefusableFacts = Pick<ExchangeFacts, 'host' | 'nowMs'> & {
  readonly reading: Pick<RequestReading, 'isAmbiguous' | 'problem'>;
};

function refusalOf(compiled: CompiledPolicy, { host, reading, nowMs }: RefusableFacts): Refusal | null {
  const isBlocked = compiled.isBlockedTool(host);
  if (!isBlocked && !reading.isAmbiguous) return null;
  const why = isBlocked ? 'blocked_tool' : 'ambiguous';
  const reason = isBlocked ? 'This tool is not allowed.' : `It is ambiguous: ${reading.problem}`;
  const excepting = activeExceptions(compiled.policy, host, nowMs);
  const exception = excepting.find(({ threats }) => threats.includes('custom_policy'));
  return { why, by: BY[why], reason, exceptionId: exception?.id ?? null };
}

/** True if nothing is left for the device. Texts after a block are not evaluated: they cannot change the decision. */
function hasDecided({ parts, tooLarge }: Turn, { verdicts }: ServiceEvaluation): boolean {
  const isComplete = verdicts.length === parts.length && tooLarge.length === 0;
  return isComplete || verdicts.some(({ decision }) => decision === 'block');
}

/** Masks of earlier turns are applied again in each turn. */
function serviceAnswer(
  { turn, outcomes, newEventId }: ExchangeFacts,
  { verdicts }: ServiceEvaluation,
): ServiceAnswer {
  const masked = [...(turn?.known ?? [])].filter(([, { replacements }]) => replacements.length > 0);
  const isSilent = outcomes?.some(({ kind }) => kind === 'no-answer') ?? false;
  const first = masked[0]?.[1];
  const before = first !== undefined && {
    ...{ decision: 'redact' as const, eventId: verdicts[0]?.eventId ?? newEventId, exceptionId: null },
    ...{ threatType: first.threatType, confidence: first.confidence },
    replacements: new Map(masked.map(([index, { replacements }]) => [index, replacements])),
  };
  return {
    verdicts: before === false ? verdicts : [...verdicts, before],
    blockedBefore: isSilent ? (turn?.blockedBefore ?? null) : null,
  };
}

/** Returns what neither could read; for attached files the service decides. */
function unreadOf(
  { reading, turn }: ExchangeFacts,
  { files, unscanned }: ServiceEvaluation,
): readonly UnreadPart[] {
  const read = new Set<unknown>([...files, ...(turn?.knownFiles ?? [])].map(({ notice }) => notice));
  const { problem, isAmbiguous } = reading;
  const whole: readonly Unscanned[] =
    problem === null || isAmbiguous ? [] : [{ index: 0, reason: 'undecodable', detail: problem }];
  return [...whole, ...reading.unscanned.filter((one) => !read.has(one)), ...unscanned].map((one) => ({
    ...one,
    path: '',
    mayHold: 'text',
  }));
}
