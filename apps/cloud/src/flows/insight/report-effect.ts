import type { ReportEffect } from '@csg/shared/contract';
import { compileRuleset, type Ruleset } from '@csg/shared/detection';
import type { EventFinding, SecurityEvent, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { decidePast } from '../policies/preview-policy.ts';
import { type PastEventsDeps, readPastEvents } from '../policies/read-past-events.ts';
import { rulesetInput } from '../ruleset-input.ts';
import { readEvent } from './report-false-positive.ts';

export interface ReportEffectDeps extends PastEventsDeps {
  readonly storage: PastEventsDeps['storage'] & Pick<Storage, 'policies' | 'projects' | 'requests' | 'flush'>;
  readonly clock: Clock;
}

const HOURS = 168;
const HOUR_MS = 3_600_000;
const MAX_RULES = 5;

/**
 * Returns what following a report would have changed in the last 7 days of the event's project: if exactly these texts
 * had been allowed, and if one of its rules had been disabled. Throws `not_found`.
 */
export async function readReportEffect(
  deps: ReportEffectDeps,
  organizationId: string,
  eventId: string,
): Promise<ReportEffect> {
  const reported = await readEvent(deps, organizationId, eventId);
  const { projectId } = reported;
  const ruleset = await rulesetOf(deps, organizationId, projectId);
  const texts = new Set(reported.findings.flatMap(({ textKey }) => textKey ?? []));
  const rules = [...new Set(reported.findings.map(({ rule }) => rule))].slice(0, MAX_RULES);
  const toMs = deps.clock.now() + 1;
  const past = await readPastEvents(deps, organizationId, {
    ...{ fromMs: toMs - HOURS * HOUR_MS, toMs },
    ...(projectId === null ? {} : { projectId }),
  });
  let considered = 0;
  let sameText = 0;
  const byRule = new Map(rules.map((rule) => [rule, 0]));
  for await (const { event, weight } of past.events) {
    considered += 1;
    if (event.projectId !== projectId || event.decision === 'allow') continue;
    const changes = (isLeftOut: (finding: EventFinding) => boolean) => isChanged(ruleset, event, isLeftOut);
    if (changes(({ textKey }) => textKey !== undefined && texts.has(textKey))) sameText += weight;
    for (const rule of rules) {
      if (changes((finding) => finding.rule === rule)) byRule.set(rule, byRule.get(rule)! + weight);
    }
  }
  return {
    hours: HOURS,
    considered,
    estimated: past.isSample,
    same_text: texts.size === 0 ? null : Math.round(sameText),
    rules: rules.map((rule) => ({ rule, events: Math.round(byRule.get(rule)!) })),
  };
}

async function rulesetOf(
  { storage }: ReportEffectDeps,
  organizationId: string,
  projectId: string | null,
): Promise<Ruleset> {
  const project = projectId === null ? null : await storage.projects.get(organizationId, projectId);
  const preset = project ?? { useCase: 'default' as const, strictnessLevel: 'moderate' as const };
  return compileRuleset(rulesetInput(preset, await storage.policies.listActive(organizationId, projectId)));
}

/** Returns whether the decision would differ without some of the findings. */
function isChanged(
  ruleset: Ruleset,
  event: SecurityEvent,
  isLeftOut: (finding: EventFinding) => boolean,
): boolean {
  const rest = event.findings.filter((finding) => !isLeftOut(finding));
  if (rest.length === event.findings.length) return false;
  const after = decidePast(event, rest, ruleset);
  return after !== event.decision && after !== decidePast(event, event.findings, ruleset);
}
