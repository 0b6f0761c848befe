import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Decision, Overview, OverviewSpan, ThreatType } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { listDevices } from '../devices/manage-devices.ts';
import { countPendingRequests } from './count-pending-requests.ts';

export interface OverviewDeps {
  readonly storage: Pick<
    Storage,
    | 'devices'
    | 'enrollments'
    | 'eventCounts'
    | 'requests'
    | 'fleetSettings'
    | 'flush'
    | 'keys'
    | 'members'
    | 'projects'
    | 'transaction'
  >;
  readonly clock: Clock;
}

const HOUR_MS = 3_600_000;
/** Bars start at full hours in UTC. */
const SPANS: Readonly<Record<OverviewSpan, { readonly stepMs: number; readonly steps: number }>> = {
  '24h': { stepMs: HOUR_MS, steps: 24 },
  '7d': { stepMs: 6 * HOUR_MS, steps: 28 },
  '30d': { stepMs: 24 * HOUR_MS, steps: 30 },
};
/** Time span read by one query. */
const PART_MS = 3 * HOUR_MS;
/** Number of the newest scans used for the latencies. */
const LATENCY_SAMPLE = 1_000;

type DecisionCounts = Record<Decision, number>;
const noDecisions = (): DecisionCounts => ({ allow: 0, redact: 0, block: 0 });

/** Returns the figures of an organization's last hours or days. */
export async function readOverview(
  deps: OverviewDeps,
  organizationId: string,
  input: { readonly span: OverviewSpan; readonly projectId?: string },
): Promise<Overview> {
  const { storage, clock } = deps;
  await storage.flush();
  const { stepMs, steps } = SPANS[input.span];
  const nowMs = clock.now();
  const toMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  const fromMs = toMs - steps * stepMs;
  const ofProject = input.projectId === undefined ? {} : { projectId: input.projectId };

  const totals = { requests: 0, ...noDecisions(), detected: 0, failed: 0 };
  const threats = new Map<ThreatType, DecisionCounts>();
  const buckets: Overview['buckets'] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += stepMs) {
    const bucket = noDecisions();
    for (const span of partsOf(atMs, Math.min(atMs + stepMs, nowMs + 1))) {
      const counts = await storage.eventCounts.count(organizationId, { ...span, ...ofProject });
      for (const row of counts) {
        bucket[row.decision] += row.count;
        addToTotals(totals, row);
        addToThreats(threats, row);
      }
      await nextTurn();
    }
    buckets.push({ at: new Date(atMs).toISOString(), ...bucket });
  }

  const [latencies, devices, keys, members, projects, waiting] = await Promise.all([
    storage.eventCounts.latenciesUs(organizationId, { fromMs, ...ofProject }, LATENCY_SAMPLE),
    listDevices(deps, organizationId),
    storage.keys.list(organizationId),
    storage.members.list(organizationId),
    storage.projects.list(organizationId),
    countPendingRequests(deps, organizationId),
  ]);
  const states: Record<string, number> = {};
  for (const { state } of devices) states[state] = (states[state] ?? 0) + 1;
  return {
    span: input.span,
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    bucket_s: stepMs / 1000,
    buckets,
    totals,
    threats: [...threats]
      .map(([type, threatCounts]) => ({
        type,
        ...threatCounts,
        total: threatCounts.allow + threatCounts.redact + threatCounts.block,
      }))
      .sort((a, b) => b.total - a.total),
    latency: latencyOf(latencies),
    devices: states,
    waiting: {
      exceptions: waiting.exceptions,
      tool_requests: waiting.tool_requests,
      tool_reviews: waiting.tool_reviews,
      texts: waiting.texts,
    },
    first_steps: {
      has_key_in_use: keys.some(({ lastUsedAtMs }) => lastUsedAtMs !== null),
      has_device: devices.some(({ state }) => state !== 'revoked'),
      has_decision: totals.requests > 0,
      has_colleague: members.length > 1,
      has_preset: projects.some(
        ({ useCase, strictnessLevel }) => useCase !== 'default' || strictnessLevel !== 'moderate',
      ),
    },
  };
}

type CountRow = Awaited<ReturnType<Storage['eventCounts']['count']>>[number];
type Totals = DecisionCounts & Pick<Overview['totals'], 'requests' | 'detected' | 'failed'>;

function addToTotals(totals: Totals, { decision, threatType, count, failed }: CountRow): void {
  totals[decision] += count;
  totals.requests += count;
  totals.failed += failed;
  if (threatType !== null && decision === 'allow') totals.detected += count;
}

function addToThreats(
  threats: Map<ThreatType, DecisionCounts>,
  { decision, threatType, count }: CountRow,
): void {
  if (threatType === null) return;
  const counts = threats.get(threatType) ?? noDecisions();
  counts[decision] += count;
  threats.set(threatType, counts);
}

/** Splits a time span into parts small enough for one query even under high volume; other requests run in between. */
function* partsOf(
  fromMs: number,
  toMs: number,
): Iterable<{ readonly fromMs: number; readonly toMs: number }> {
  for (let atMs = fromMs; atMs < toMs; atMs += PART_MS) {
    yield { fromMs: atMs, toMs: Math.min(atMs + PART_MS, toMs) };
  }
}

/** Percentiles by nearest rank, from scan times in microseconds. */
function latencyOf(samplesUs: readonly number[]): Overview['latency'] {
  if (samplesUs.length === 0) return null;
  const sorted = samplesUs.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1000;
  return { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99), sample: sorted.length };
}
