import type { TextSlot } from '../text/index.ts';
import { readAttacks } from './detectors/attacks.ts';
import { isData, isDevelopers } from './detectors/slot-roles.ts';
import type { UserTask } from './detectors/user-task.ts';
import { normalizeText } from './normalize/normalize-text.ts';
import { DECISION } from './operating-points/decisions.ts';
import type { Finding } from './types.ts';
import type { Workspace } from './workspace.ts';

/** The score of a text without words. Log-odds. */
export const MIN_ATTACK_SCORE = -20;
/**
 * In a developer's own words an instruction is not an attack; documents in them are covered by the findings. Log-odds.
 */
const DEVELOPER_PENALTY = 8;

/** What a reading adds to the odds of an attack. */
export interface AttackShare {
  /** The rule of its findings. */
  readonly rule: string;
  readonly odds: number;
}

/**
 * How suspicious a text is as an attack: log-odds, one scale for all roles. Grows strictly with every sign of an attack
 * and never saturates. `findings`: the findings of a scan of this slot; those about personal data and those of a
 * policy's own patterns are ignored.
 */
export function attackScore(...args: Parameters<typeof attackShares>): number {
  return Math.log(attackShares(...args).reduce((sum, { odds }) => sum + odds, 0));
}

/** Returns what each reading adds to the odds, the learned models first. */
export function attackShares(
  slot: TextSlot,
  findings: readonly Finding[],
  task: UserTask | null,
  workspace: Workspace,
): readonly AttackShare[] {
  const isDeveloper = isDevelopers(slot);
  const asData = isData(slot) || isDeveloper;
  const { text } = normalizeText(slot.text, workspace);
  const { logOdds } = workspace.withText(text, (read) =>
    readAttacks(read, asData, workspace, { task, readsAll: true, isScored: true }),
  );
  const read = Math.max(MIN_ATTACK_SCORE, isDeveloper ? logOdds - DEVELOPER_PENALTY : logOdds);
  const shares: AttackShare[] = [{ rule: asData ? 'model.data' : 'model.user', odds: Math.exp(read) }];
  for (const { pii, policyId, rule, confidence } of findings) {
    const isCounted = pii === undefined && policyId === undefined && (isDeveloper || !isPlainReading(rule));
    if (isCounted) shares.push({ rule, odds: confidence / (1 - Math.min(DECISION.mostForOdds, confidence)) });
  }
  return shares;
}

/** True for findings that the log-odds of the reading already include. */
function isPlainReading(rule: string): boolean {
  return rule === 'model.user' || rule === 'model.data' || rule === 'model.structure';
}
