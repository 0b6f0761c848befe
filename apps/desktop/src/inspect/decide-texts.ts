import type { Direction } from '@csg/shared/contract';
import {
  attributeFindings,
  decide,
  type Finding,
  resolveRuleset,
  scan,
  type Verdict,
} from '@csg/shared/detection';
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
  const findings = attributeFindings(scanned.filter(isCounted), conversation, {
    direction,
    reportsToolCalls: true,
  });
  const ruleset = resolveRuleset(compiled.ruleset, { host, model, atMs: nowMs });
  const exceptions = activeExceptions(compiled.policy, host, nowMs);
  let exceptionId: string | null = null;
  const { untrustedData = 'block' } = compiled.policy.ruleset;
  const verdict = decide(findings, ruleset, direction, {
    untrustedData,
    isExcused: (finding) => {
      const naming = exceptions.find(({ threats }) => threats.includes(finding.type));
      exceptionId ??= naming?.id ?? null;
      return naming !== undefined;
    },
  });
  return { verdict, exceptionId };
}
