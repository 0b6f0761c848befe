import { THREAT_TYPES, type ThreatType } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import type { UsageMeter } from '../usage-report/usage-meter.ts';
import type { Figures } from './figures.ts';

export interface FigureDeps {
  readonly storage: Pick<
    Storage,
    | 'audit'
    | 'devices'
    | 'eventCounts'
    | 'flush'
    | 'keys'
    | 'members'
    | 'organizations'
    | 'policies'
    | 'projects'
    | 'usageDetails'
    | 'endpoints'
  >;
  readonly meter: Pick<UsageMeter, 'flush'>;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const DAY_MS = 86_400_000;
/** Six months, as used in laws. */
const SIX_MONTHS_DAYS = 183;
const DECISION_KINDS: ReadonlySet<string> = new Set(['policy_allow', 'policy_block']);

export async function readFigures(deps: FigureDeps, organizationId: string, span: Span): Promise<Figures> {
  const { storage, meter } = deps;
  await Promise.all([storage.flush(), meter.flush()]);
  const [chain, events, setup, usage] = await Promise.all([
    countChain(storage, organizationId, span),
    countEvents(storage, organizationId, span),
    countSetup(storage, organizationId),
    countUsage(storage, organizationId, span),
  ]);
  return { ...chain, ...events, ...setup, ...usage };
}

async function countChain(storage: FigureDeps['storage'], organizationId: string, span: Span) {
  const { kinds, lastSeq, checkpoint } = await storage.audit.summarize(organizationId, span);
  const of = (...names: string[]) => names.reduce((sum, name) => sum + (kinds.get(name) ?? 0), 0);
  const decided = (name: string) => of(`${name}_approved`, `${name}_denied`);
  let changes = 0;
  for (const [kind, count] of kinds) if (!DECISION_KINDS.has(kind)) changes += count;
  return {
    decisions: of('policy_allow', 'policy_block'),
    blocked: of('policy_block'),
    changes,
    log_rows: lastSeq,
    log_anchored: checkpoint?.seq ?? 0,
    log_exports: of('audit_exported'),
    policy_changes: of('policy_created', 'policy_changed', 'policy_deleted', 'policies_reordered'),
    requests_made: of('exception_requested', 'tool_request_created'),
    requests_decided: decided('exception') + decided('tool_request') + of('text_allowed', 'text_denied'),
    reviews_held: of('tool_review_created'),
    reviews_decided: decided('tool_review'),
    false_positives: of('event_marked_fine'),
    test_runs: of('security_test_run'),
  };
}

async function countEvents(storage: FigureDeps['storage'], organizationId: string, { fromMs, toMs }: Span) {
  const threats = Object.fromEntries(THREAT_TYPES.map((type) => [type, 0])) as Record<ThreatType, number>;
  let [redacted, unscanned] = [0, 0];
  for (let atMs = fromMs; atMs < toMs; atMs += DAY_MS) {
    const part = { fromMs: atMs, toMs: Math.min(atMs + DAY_MS, toMs) };
    for (const { decision, threatType, count, failed } of await storage.eventCounts.count(
      organizationId,
      part,
    )) {
      if (decision === 'redact') redacted += count;
      if (threatType !== null) threats[threatType] += count;
      unscanned += failed;
    }
  }
  return { ...threats, redacted, unscanned };
}

async function countSetup(storage: FigureDeps['storage'], organizationId: string) {
  const [policies, projects, members, organization, keys, devices, targets, target] = await Promise.all([
    storage.policies.list(organizationId),
    storage.projects.list(organizationId),
    storage.members.list(organizationId),
    storage.organizations.get(organizationId),
    storage.keys.list(organizationId),
    storage.devices.list(organizationId),
    storage.endpoints.list(organizationId, { kind: 'notification' }),
    storage.endpoints.own(organizationId, 'audit', null),
  ]);
  return {
    policies: policies.filter(({ isActive }) => isActive).length,
    projects: projects.length,
    projects_fail_open: projects.filter(({ failMode }) => failMode === 'open').length,
    projects_short_retention: projects.filter(
      ({ retentionDays, zeroRetention }) =>
        zeroRetention || (retentionDays !== null && retentionDays < SIX_MONTHS_DAYS),
    ).length,
    members: members.length,
    administrators: members.filter(({ role }) => role === 'owner' || role === 'admin').length,
    second_factor_rule: organization?.requiresSecondFactor === true ? 1 : 0,
    keys: keys.filter(({ isActive }) => isActive).length,
    devices: devices.filter(({ revokedAtMs }) => revokedAtMs === null).length,
    notification_targets: targets.length,
    checkpoint_targets: target === null ? 0 : 1,
  };
}

async function countUsage(storage: FigureDeps['storage'], organizationId: string, { fromMs, toMs }: Span) {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const sums = await storage.usageDetails.sum(
    organizationId,
    { fromDay: day(fromMs), toDay: day(toMs - 1) },
    ['model'],
  );
  return {
    models: sums.filter(({ model, calls }) => model !== '' && calls > 0).length,
    provider_calls: sums.reduce((sum, { calls }) => sum + calls, 0),
    rejected: sums.reduce((sum, { rejected }) => sum + rejected, 0),
  };
}
