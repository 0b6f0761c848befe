import type { Direction, ThreatType } from '@csg/shared/contract';
import { decide, excuseTypes, scan, type Verdict } from '@csg/shared/detection';
import type { TextSlot } from '@csg/shared/text';
import { type CompiledPolicy, countingExceptions } from './compile-policy.ts';

export interface DeviceVerdict {
  readonly verdict: Verdict;
  /** The exception that changed it. */
  readonly exceptionId: string | null;
}

/**
 * The engine on the device, with the exceptions that count for this host: the threats they name are told and let
 * through, whatever else was found decides as before. The same steps as the service's.
 */
export function decideTexts(
  compiled: CompiledPolicy,
  slots: readonly TextSlot[],
  direction: Direction,
  host: string,
  nowMs: number,
): DeviceVerdict {
  const findings = scan(slots, compiled.ruleset, direction);
  const verdict = decide(findings, compiled.ruleset, direction);
  if (verdict.decision === 'allow') return { verdict, exceptionId: null };
  const { actions } = compiled.ruleset[direction];
  const isRefused = (type: ThreatType): boolean => {
    const action = actions.get(type);
    const isFound = verdict.findings.some((finding) => finding.type === type);
    return isFound && (action === 'block' || action === 'redact');
  };
  const excused = new Set<ThreatType>();
  let exceptionId: string | null = null;
  for (const exception of countingExceptions(compiled.policy, host, nowMs)) {
    const types = exception.threats.filter(isRefused);
    if (types.length === 0) continue;
    exceptionId ??= exception.id;
    for (const type of types) excused.add(type);
  }
  if (excused.size === 0) return { verdict, exceptionId: null };
  return { verdict: decide(findings, excuseTypes(compiled.ruleset, excused), direction), exceptionId };
}
