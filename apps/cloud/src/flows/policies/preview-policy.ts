import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Decision,
  OPT_IN_PII_TYPES,
  type PolicyPreview,
  type PolicyWarning,
  type PreviewPolicy,
  type UntrustedData,
} from '@csg/shared/contract';
import { decideFindings } from '@csg/shared/decision';
import {
  compileRuleset,
  type Finding,
  isSituational,
  policyOfRule,
  type Ruleset,
  resolveRuleset,
  sensitiveTypeOfRule,
} from '@csg/shared/detection';
import type { PacedTurns } from '../../fairness/paced-turns.ts';
import type { Policy, SecurityEvent, Storage } from '../../storage/storage.ts';
import { settingsOf } from '../authenticate-key.ts';
import type { Clock } from '../clock.ts';
import { rulesetInput } from '../ruleset-input.ts';
import { checkPolicy, hasOwnRules } from './check-policy.ts';
import { inputOf, unknownProject } from './policy-input.ts';
import { flowTexts } from './policy-records.ts';
import { type PastEventsDeps, readPastEvents } from './read-past-events.ts';

export interface EffectDeps extends PastEventsDeps {
  readonly storage: Pick<Storage, 'policies' | 'projects' | 'events' | 'eventCounts'>;
  readonly clock: Clock;
}

export interface PreviewDeps extends EffectDeps {
  readonly pacedTurns: PacedTurns;
}

const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = 24;
const MAX_SAMPLES = 20;
/** A warning is due if a policy would block at least this share of all requests. */
const A_FIFTH = 0.2;

const DRAFT_ID = 'pol_draft';

/** Previews what a policy would have done in the last hours, based on the findings of that time. Stores nothing. */
export async function previewPolicy(
  deps: PreviewDeps,
  organizationId: string,
  { policy: draftInput, policy_id: policyId, hours = DEFAULT_HOURS }: PreviewPolicy,
): Promise<PolicyPreview> {
  const input = inputOf(draftInput);
  const owner = { organizationId, deviceId: null };
  const warnings = await deps.pacedTurns.run(owner, checkPolicy(input));
  const all = await deps.storage.policies.list(organizationId);
  const known = all.find(({ id, fromPreset }) => id === policyId && !fromPreset);
  const projectId = known === undefined ? (draftInput.project_id ?? null) : known.projectId;
  if (projectId !== null && (await deps.storage.projects.get(organizationId, projectId)) === null)
    throw unknownProject();
  const highest = Math.max(0, ...all.map(({ priority }) => priority));
  const draft: Policy = {
    id: known?.id ?? DRAFT_ID,
    organizationId,
    projectId,
    name: input.name,
    description: null,
    action: input.action,
    threatTypes: input.threatTypes,
    priority: known?.priority ?? highest + 1,
    isActive: true,
    fromPreset: false,
    // Monitor mode has no effect of its own, so the preview shows the effect if enforced.
    rules: { ...input.rules, mode: 'enforce' },
    version: 0,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
  return await previewEffect(deps, { draft, known: known ?? null, all }, hours, warnings);
}

/** Returns warnings about a policy that was just saved, based on its effect on the last day. */
export async function warnOfEffect(
  deps: EffectDeps,
  policy: Policy,
  warnings: readonly PolicyWarning[],
): Promise<readonly PolicyWarning[]> {
  if (policy.action !== 'block' || policy.rules.mode === 'monitor') return warnings;
  const all = await deps.storage.policies.list(policy.organizationId);
  const effect = (await previewEffect(deps, { draft: policy, known: null, all }, DEFAULT_HOURS, warnings))
    .warnings;
  return effect.filter(({ code }) => code !== 'not_on_past_requests');
}

interface Change {
  readonly draft: Policy;
  /** The policy that the draft replaces; null if there is none. */
  readonly known: Policy | null;
  readonly all: readonly Policy[];
}

async function previewEffect(
  deps: EffectDeps,
  change: Change,
  hours: number,
  checked: readonly PolicyWarning[],
): Promise<PolicyPreview> {
  const { organizationId, projectId } = change.draft;
  const toMs = deps.clock.now() + 1;
  const span = { fromMs: toMs - hours * HOUR_MS, toMs, ...(projectId === null ? {} : { projectId }) };
  const now: Record<Decision, number> = { allow: 0, redact: 0, block: 0 };
  // One hour per query, so that other requests can run in between.
  for (let fromMs = span.fromMs; fromMs < toMs; fromMs += HOUR_MS) {
    const hour = { ...span, fromMs, toMs: Math.min(fromMs + HOUR_MS, toMs) };
    for (const { decision, count } of await deps.storage.eventCounts.count(organizationId, hour)) {
      now[decision] += count;
    }
    await nextTurn();
  }
  const requests = now.allow + now.redact + now.block;
  const isSweeping = checked.some(({ code }) => code === 'blocks_everything');
  const evaluate = await createEvaluator(deps, change);
  const difference = { allow: 0, redact: 0, block: 0 };
  const samples: PolicyPreview['samples'] = [];
  const past = await readPastEvents(deps, organizationId, span);
  let considered = 0;
  for await (const { event, weight } of past.events) {
    considered += 1;
    const { before, after } = evaluate(event);
    if (before === after || event.decision === after) continue;
    difference[event.decision] -= weight;
    difference[after] += weight;
    if (samples.length < MAX_SAMPLES) samples.push(sampleOf(event, after));
  }
  const would = withChange(now, difference);
  if (isSweeping) Object.assign(would, { allow: 0, redact: 0, block: requests });
  return {
    hours,
    requests,
    now,
    would,
    considered,
    estimated: past.isSample && !isSweeping,
    samples,
    flow_texts: flowTexts(change.draft),
    warnings: [...warningsOf(change.draft, { hours, requests, now, would }, isSweeping)],
  };
}

/** Rounds the counts of a sample so that their sum is still the total of all decisions. */
function withChange(
  now: Record<Decision, number>,
  difference: Record<Decision, number>,
): Record<Decision, number> {
  const redact = Math.max(0, Math.round(now.redact + difference.redact));
  const block = Math.max(0, Math.round(now.block + difference.block));
  return { allow: now.allow + now.redact + now.block - redact - block, redact, block };
}

function warningsOf(
  { rules, action }: Policy,
  { hours, requests, now, would }: Pick<PolicyPreview, 'hours' | 'requests' | 'now' | 'would'>,
  isSweeping: boolean,
): readonly PolicyWarning[] {
  const warnings: PolicyWarning[] = [];
  const more = would.block - now.block;
  const effect = `of ${count(requests, 'request')} in the last ${hours} hours`;
  if (isSweeping && action === 'block') {
    const message = `This policy blocks every text: all ${effect} would have been blocked.`;
    warnings.push({
      code: 'blocks_everything',
      message: requests === 0 ? 'This policy blocks every text.' : message,
    });
  } else if (would.block === requests && more > 0) {
    warnings.push({ code: 'blocks_everything', message: `All ${effect} would have been blocked.` });
  }
  if (more > 0 && more >= requests * A_FIFTH) {
    const message = `A fifth or more would be blocked: ${more.toLocaleString('en-US')} more ${effect}.`;
    warnings.push({ code: 'blocks_a_fifth', message });
  }
  if (hasOwnRules(rules) && !isSweeping) {
    warnings.push({
      code: 'not_on_past_requests',
      message:
        'Patterns, domains and tool call rules cannot be evaluated for past requests, because their texts are not stored. Use a dry run first.',
    });
  }
  if ((rules.allowed_values?.length ?? 0) > 0) {
    warnings.push({
      code: 'not_on_past_requests',
      message: 'Values of past requests are not stored, so allowed values are not considered here.',
    });
  }
  const { hosts = [], providers = [], pii_types = [] } = rules.conditions ?? {};
  if (pii_types.some((type) => OPT_IN_PII_TYPES.some((optIn) => optIn === type))) {
    warnings.push({
      code: 'not_on_past_requests',
      message:
        'Opt-in types are detected only once a policy names them, so past requests do not contain them. Use a dry run first.',
    });
  }
  if (hosts.length + providers.length > 0) {
    warnings.push({
      code: 'not_on_past_requests',
      message:
        'Destinations of past requests are not stored, so every request is counted as if it matched them.',
    });
  }
  return warnings;
}

type Evaluator = (event: SecurityEvent) => { readonly before: Decision; readonly after: Decision };

/** Returns a function that decides about an event's findings by its project's policies without and with the draft. */
async function createEvaluator(deps: EffectDeps, { draft, known, all }: Change): Promise<Evaluator> {
  const presets = new Map(
    (await deps.storage.projects.list(draft.organizationId)).map((project) => [project.id, project]),
  );
  const compiled = new Map<string | null, { readonly before: Ruleset; readonly after: Ruleset }>();
  return (event) => {
    let pair = compiled.get(event.projectId);
    const project = event.projectId === null ? undefined : presets.get(event.projectId);
    if (pair === undefined) {
      const preset = {
        useCase: project?.useCase ?? ('default' as const),
        strictnessLevel: project?.strictnessLevel ?? ('moderate' as const),
      };
      const others = all.filter(
        ({ id, isActive, projectId }) =>
          id !== draft.id && isActive && (projectId === null || projectId === event.projectId),
      );
      const ruleset = (policies: readonly Policy[]) =>
        compileRuleset(
          rulesetInput(
            preset,
            [...policies].sort((a, b) => b.priority - a.priority),
          ),
        );
      pair = {
        before: ruleset(known?.isActive ? [...others, anywhere(known)] : others),
        after: ruleset([...others, anywhere(draft)]),
      };
      compiled.set(event.projectId, pair);
    }
    const untrustedData = project && settingsOf(project).settings.untrusted_data;
    const by = (ruleset: Ruleset) => decidePast(event, event.findings, ruleset, untrustedData);
    return { before: by(pair.before), after: by(pair.after) };
  };
}

/** Past events do not record their destination, so the preview treats all as going to the hosts in the conditions. */
function anywhere(draft: Policy): Policy {
  const { conditions } = draft.rules;
  if (!isSituational(conditions) || conditions === undefined) return draft;
  const { hosts: _hosts, providers: _providers, ...rest } = conditions;
  return { ...draft, rules: { ...draft.rules, conditions: rest } };
}

/** Takes the decision about some findings of a past event again, by another ruleset. */
export function decidePast(
  { model, atMs, direction }: SecurityEvent,
  findings: SecurityEvent['findings'],
  ruleset: Ruleset,
  untrustedData: UntrustedData = 'withhold',
): Decision {
  const rules = resolveRuleset(ruleset, { model, atMs });
  return decideFindings(findings.map(pastFinding), rules, direction, untrustedData).decision;
}

/** Converts a finding of an event back to the engine's form. */
function pastFinding({ path: _path, ...finding }: SecurityEvent['findings'][number]): Finding {
  const policyId = policyOfRule(finding.rule);
  const pii = sensitiveTypeOfRule(finding.rule);
  return {
    ...finding,
    slot: 0,
    reason: '',
    ...(pii === undefined ? {} : { pii }),
    // The ranges of a withheld passage are not stored.
    ...(finding.isWithheld === true && { withheld: [] }),
    ...(policyId === null ? {} : { policyId }),
  };
}

function sampleOf(event: SecurityEvent, would: Decision): PolicyPreview['samples'][number] {
  return {
    event_id: event.id,
    at: new Date(event.atMs).toISOString(),
    direction: event.direction,
    threat_type: event.threatType,
    now: event.decision,
    would,
  };
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
