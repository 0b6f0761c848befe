import type { Direction } from '@csg/shared/contract';
import { decideNow, type Verdict } from '@csg/shared/decision';
import { type Finding, resolveRuleset, scan } from '@csg/shared/detection';
import type { Conversation } from '@csg/shared/text';
import { activeExceptions, type CompiledPolicy } from './compile-policy.ts';

export interface DeviceVerdict {
  readonly verdict: Verdict;
  /** The exception that changed the decision. */
  readonly exceptionId: string | null;
}

const NOTHING_FOUND: readonly Finding[] = [];
const NONE: ReadonlySet<number> = new Set();

export interface DecideTextsOptions {
  readonly model?: string | null;
  readonly evaluated?: ReadonlySet<number>;
  /** True for findings that count; default: all. */
  readonly isCounted?: (finding: Finding) => boolean;
}

/**
 * Evaluates with the engine on the device and the exceptions for this host: the threats they name are reported and
 * allowed, and all other findings decide as usual. The steps are those of the service. Texts that were already
 * `evaluated` serve only as context of the others.
 */
export function decideTexts(
  compiled: CompiledPolicy,
  conversation: Conversation,
  direction: Direction,
  host: string,
  nowMs: number,
  { model = null, evaluated = NONE, isCounted = () => true }: DecideTextsOptions = {},
): DeviceVerdict {
  const scanned = scan(conversation.slots, compiled.ruleset, direction, {
    memory: { recall: (index) => (evaluated.has(index) ? NOTHING_FOUND : undefined), keep() {} },
    workspace: compiled.workspace,
  });
  const covering = activeExceptions(compiled.policy, host, nowMs);
  const coverOf = ({ type }: Finding): string | undefined =>
    covering.find(({ threats }) => threats.includes(type))?.id;
  const verdict = decideNow({
    texts: { conversation, unread: [], reportsToolCalls: true },
    scan: { kind: 'read', found: [{ direction, findings: scanned.filter(isCounted) }] },
    rules: {
      ruleset: resolveRuleset(compiled.ruleset, { host, model, atMs: nowMs }),
      untrustedData: compiled.policy.ruleset.untrustedData ?? 'block',
    },
    // What is masked is written, or blocked, by those who write.
    ...{ delivery: 'told', calls: null },
    answers: { exceptions: { coverOf, forThreat: () => undefined } },
  });
  return { verdict, exceptionId: verdict.exceptionIds?.[0] ?? null };
}
