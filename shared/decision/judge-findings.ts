import type { DecidedBy, Direction, PolicyAction, UntrustedData } from '../contract/index.ts';
import { decideFinding, type Finding, type Ruleset, thresholdOf } from '../detection/index.ts';
import { finish, flatMapping, type Steps } from '../text/index.ts';
import { type Action, type Judged, type Verdict, verdictOf } from './verdict.ts';

/**
 * Returns what is done about each finding, by preset and policies; findings that are allowed or below their threshold
 * are left out. `untrustedData`: the action for attacks in untrusted data, if no policy decides.
 */
export function* judgeFindings(
  findings: readonly Finding[],
  ruleset: Ruleset,
  direction: Direction,
  untrustedData: UntrustedData = 'block',
): Steps<readonly Judged[]> {
  const rules = ruleset[direction];
  return yield* flatMapping(findings, (finding): readonly Judged[] => {
    const decided = decideFinding(rules, finding);
    const action = actionFor(finding, decided, untrustedData);
    const isCounted = finding.confidence >= thresholdOf(rules, finding.type, decided.policyId);
    if (action === 'allow' || !isCounted) return [];
    return [{ finding, action, policyId: decided.policyId, by: deciderOf(finding, decided) }];
  });
}

/** Returns the verdict of preset and policies alone. */
export function decideFindings(...args: Parameters<typeof judgeFindings>): Verdict {
  return finish(decideFindingsInSteps(...args));
}

/** Does the same in steps. */
export function* decideFindingsInSteps(...args: Parameters<typeof judgeFindings>): Steps<Verdict> {
  return yield* verdictOf(yield* judgeFindings(...args));
}

interface Decided {
  readonly action: PolicyAction;
  readonly policyId: string | null;
}

/**
 * A policy that redacts attacks withholds them in untrusted data. If only the preset blocks, the project's setting
 * decides.
 */
function actionFor(
  { withheld }: Finding,
  { action, policyId }: Decided,
  untrustedData: UntrustedData,
): Action {
  if (withheld === undefined) return action;
  if (action === 'redact') return 'withhold';
  return action === 'block' && policyId === null ? untrustedData : action;
}

function deciderOf({ withheld }: Finding, { action, policyId }: Decided): DecidedBy | null {
  if (policyId !== null) return { kind: 'policy', id: policyId };
  return withheld !== undefined && action === 'block' ? { kind: 'setting', id: 'untrusted_data' } : null;
}
