import type { TextRole, ThreatType, ThresholdProposal } from '@csg/shared/contract';
import { textRoleOf } from '@csg/shared/detection';
import type { SecurityEvent, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { type PastEventsDeps, readPastEvents } from './read-past-events.ts';

export interface ThresholdDeps extends PastEventsDeps {
  readonly storage: Pick<Storage, 'events' | 'eventCounts'>;
  readonly clock: Clock;
}

export interface BudgetRequest {
  /** Share of all prompts that may be acted on because of texts of one role. */
  readonly budget: number;
  readonly hours: number;
  readonly projectId?: string;
}

/** Threats whose findings have a degree of confidence; personal data is either present or not. */
const ATTACK_TYPES: readonly ThreatType[] = [
  'prompt_injection',
  'instruction_override',
  'jailbreak',
  'indirect_prompt_injection',
  'system_prompt_leak',
];
const HOUR_MS = 3_600_000;
const BINS = 20;
/** Confidences have four decimal places. */
const STEP = 10_000;

interface Acted {
  readonly confidence: number;
  readonly weight: number;
}

/**
 * Finds the roles whose texts were acted on more often than the budget allows, and the confidence thresholds that would
 * stay within it.
 */
export async function proposeThresholds(
  deps: ThresholdDeps,
  organizationId: string,
  { budget, hours, projectId }: BudgetRequest,
): Promise<ThresholdProposal> {
  const toMs = deps.clock.now() + 1;
  const span = {
    ...{ fromMs: toMs - hours * HOUR_MS, toMs },
    ...(projectId === undefined ? {} : { projectId }),
  };
  const counts = await deps.storage.eventCounts.count(organizationId, { ...span, direction: 'input' });
  const prompts = counts.reduce((sum, { count }) => sum + count, 0);
  const past = await readPastEvents(deps, organizationId, span);
  const byRole = new Map<TextRole, Acted[]>();
  for await (const { event, weight } of past.events) {
    if (event.direction !== 'input' || event.decision === 'allow') continue;
    for (const [role, confidence] of strongestByRole(event)) {
      const list = byRole.get(role);
      if (list === undefined) byRole.set(role, [{ confidence, weight }]);
      else list.push({ confidence, weight });
    }
  }
  return {
    hours,
    prompts,
    budget,
    estimated: past.isSample,
    threat_types: [...ATTACK_TYPES],
    roles: [...byRole]
      .map(([role, acted]) => proposalFor(role, acted, budget * prompts))
      .sort((a, b) => b.acted - a.acted),
  };
}

function strongestByRole({ findings }: SecurityEvent): ReadonlyMap<TextRole, number> {
  const strongest = new Map<TextRole, number>();
  for (const { type, role, confidence, reportOnly } of findings) {
    if (reportOnly === true || !ATTACK_TYPES.includes(type)) continue;
    const name = textRoleOf(role);
    strongest.set(name, Math.max(confidence, strongest.get(name) ?? 0));
  }
  return strongest;
}

function proposalFor(
  role: TextRole,
  acted: readonly Acted[],
  allowed: number,
): ThresholdProposal['roles'][number] {
  const histogram = new Array<number>(BINS).fill(0);
  for (const { confidence, weight } of acted) {
    histogram[Math.min(BINS - 1, Math.floor(confidence * BINS))]! += weight;
  }
  const total = sum(acted);
  const threshold = total <= allowed ? null : leastThreshold(acted, allowed);
  const after = threshold === null ? acted : acted.filter(({ confidence }) => confidence >= threshold);
  return {
    role,
    acted: Math.round(total),
    histogram: histogram.map(Math.round),
    proposed_threshold: threshold,
    acted_after: Math.round(sum(after)),
  };
}

/** Returns the lowest threshold that stays within the budget; at most 1, which certain findings still reach. */
function leastThreshold(acted: readonly Acted[], allowed: number): number {
  let kept = 0;
  for (const { confidence, weight } of acted.toSorted((a, b) => b.confidence - a.confidence)) {
    kept += weight;
    if (kept > allowed) return Math.min(1, (Math.round(confidence * STEP) + 1) / STEP);
  }
  return 0;
}

function sum(acted: readonly Acted[]): number {
  return acted.reduce((total, { weight }) => total + weight, 0);
}
