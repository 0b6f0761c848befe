import type { Direction } from '@csg/shared/contract';
import { decideNow, type Facts, type Verdict } from '@csg/shared/decision';
import { type Finding, resolveRuleset, scan } from '@csg/shared/detection';
import type { Conversation } from '@csg/shared/text';
import { activeExceptions, type CompiledPolicy } from './compile-policy.ts';

export interface DeviceVerdict {
  readonly verdict: Verdict;
  /** The exception that changed the decision. */
  readonly exceptionId: string | null;
}

/** Where texts go and when, which select rules and exceptions. */
export interface Place {
  readonly direction: Direction;
  readonly host: string;
  readonly nowMs: number;
  readonly model?: string | null;
}

const NOTHING_FOUND: readonly Finding[] = [];
const NONE: ReadonlySet<number> = new Set();

export interface DecideTextsOptions {
  readonly model?: string | null;
  /** True for findings that count; default: all. */
  readonly isCounted?: (finding: Finding) => boolean;
}

/**
 * Evaluates with the engine on the device and the exceptions for this host: the threats they name are reported and
 * allowed, and all other findings decide as usual. The steps are those of the service.
 */
export function decideTexts(
  compiled: CompiledPolicy,
  conversation: Conversation,
  direction: Direction,
  host: string,
  nowMs: number,
  { model = null, isCounted = () => true }: DecideTextsOptions = {},
): DeviceVerdict {
  const found = findTexts(compiled, conversation, direction).filter(isCounted);
  const verdict = decideNow(deviceFacts(compiled, conversation, { direction, host, nowMs, model }, found));
  return { verdict, exceptionId: verdict.exceptionIds?.[0] ?? null };
}

/** Texts that were already `evaluated` serve only as context of the others. */
export function findTexts(
  { ruleset, workspace }: CompiledPolicy,
  { slots }: Conversation,
  direction: Direction,
  evaluated = NONE,
): readonly Finding[] {
  const memory = {
    recall: (index: number) => (evaluated.has(index) ? NOTHING_FOUND : undefined),
    keep() {},
  };
  return scan(slots, ruleset, direction, { memory, workspace });
}

/** Returns what a decision on the device rests on. */
export function deviceFacts(
  { policy, ruleset }: CompiledPolicy,
  conversation: Conversation,
  { direction, host, nowMs, model = null }: Place,
  findings: readonly Finding[],
): Facts {
  const covering = activeExceptions(policy, host, nowMs);
  const coverOf = ({ type }: Finding): string | undefined =>
    covering.find(({ threats }) => threats.includes(type))?.id;
  return {
    texts: { conversation, unread: [], reportsToolCalls: true },
    scan: { kind: 'read', found: [{ direction, findings }] },
    rules: {
      ruleset: resolveRuleset(ruleset, { host, model, atMs: nowMs }),
      untrustedData: policy.ruleset.untrustedData ?? 'block',
    },
    // What is masked is written, or blocked, by those who write.
    ...{ delivery: 'told', calls: null },
    answers: { exceptions: { coverOf } },
  };
}
