import type { DirectedFindings } from '@csg/shared/decision';
import type { Finding } from '@csg/shared/detection';
import type { TextSlot } from '@csg/shared/text';
import type { Scanner } from '../../detection-workers/scanner.ts';
import type { OpinionStore } from '../../detection-workers/second-opinion.ts';
import type { Principal } from '../authenticate-key.ts';
import { type OpinionDeps, storedOpinions } from './stored-opinions.ts';
import type { Subject } from './subject.ts';

export interface ScanDeps extends OpinionDeps {
  readonly scanner: Pick<Scanner, 'scan'>;
}

/** Scans for personal data and secrets in the original texts, and for attacks also in those with restored values. */
export async function scanTexts(
  deps: ScanDeps,
  principal: Principal,
  { texts, direction, answers, place }: Subject,
): Promise<readonly DirectedFindings[]> {
  const { slots } = texts.conversation;
  const scan = (read: readonly TextSlot[], opinions?: OpinionStore): Promise<readonly Finding[]> =>
    deps.scanner.scan(principal, read, principal.ruleset, direction, answers?.systemSlots, opinions);
  // Opinions are not cached for responses, which are evaluated only once.
  const isKept = place !== undefined && direction === 'input';
  const scanned = await scan(slots, isKept ? storedOpinions(deps, principal, place) : undefined);
  if (answers?.restoredSlots === undefined) return [{ direction, findings: scanned }];
  const isAttack = ({ pii, policyId, type }: Finding): boolean =>
    pii === undefined && policyId === undefined && type !== 'secret_leak' && type !== 'pii_leak';
  const restored = (await scan(answers.restoredSlots)).filter(isAttack);
  const isKnown = (one: Finding): boolean =>
    slots[one.slot] === undefined || scanned.some(({ slot, rule }) => slot === one.slot && rule === one.rule);
  return [{ direction, findings: [...scanned, ...restored.filter((one) => !isKnown(one))] }];
}
