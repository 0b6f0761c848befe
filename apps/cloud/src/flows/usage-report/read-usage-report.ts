import {
  HOST_TAG,
  type ModelPrice,
  type UsageGroup,
  type UsageReport,
  ValidationError,
} from '@csg/shared/contract';
import { matchesPattern } from '@csg/shared/detection';
import type { LabelSum, Storage, UsageCounts, UsageDimension } from '../../storage/storage.ts';
import { type NameDeps, readNames } from '../insight/read-names.ts';
import type { UsageMeter } from './usage-meter.ts';

export interface UsageReportDeps extends NameDeps {
  readonly storage: NameDeps['storage'] & Pick<Storage, 'usageDetails'>;
  readonly meter: Pick<UsageMeter, 'flush'>;
}

export interface UsageRange {
  readonly fromDay: string;
  readonly toDay: string;
}

/** Which requests a report covers; a session or a tag, but for that of a host, only within a project. */
export interface UsageFilter {
  readonly projectId?: string | undefined;
  readonly session?: string | undefined;
  /** `name=value`. */
  readonly tag?: string | undefined;
}

/** Groups whose rows are labels of requests: a request counts in each of its tags, and in none without one. */
const LABEL_GROUPS = { session: 'session=', tag: 'tag=', host: `tag=${HOST_TAG}` } as const;
type LabelGroup = keyof typeof LABEL_GROUPS;
const isLabelGroup = (by: UsageGroup): by is LabelGroup => by in LABEL_GROUPS;

/** Prices are per model, so every grouping also reads the models. */
const DIMENSIONS: Readonly<Record<Exclude<UsageGroup, LabelGroup>, readonly UsageDimension[]>> = {
  day: ['day', 'model'],
  project: ['projectId', 'model'],
  key: ['keyId', 'model'],
  model: ['model'],
  device: ['deviceId', 'model'],
  person: ['keyId', 'deviceId', 'model'],
};

type Figures = UsageReport['total'];

/**
 * Returns an organization's usage over a range of days, grouped as requested. Labels and filters need a project; rejects
 * with a validation error without one.
 */
export async function readUsageReport(
  deps: UsageReportDeps,
  organizationId: string,
  range: UsageRange,
  by: UsageGroup,
  filter: UsageFilter = {},
): Promise<UsageReport> {
  await deps.meter.flush();
  const [sums, prices, names, identify] = await Promise.all([
    readSums(deps, organizationId, range, by, filter),
    deps.storage.usageDetails.getPrices(organizationId),
    readNames(deps, organizationId),
    createIdentify(deps, organizationId, by),
  ]);
  const rows = [...Map.groupBy(sums, identify)].map(([id, group]) => ({
    id: id === '' ? null : id,
    name: id === '' ? 'None' : NAMELESS.has(by) ? id : names.of(id),
    ...figuresOf(group, prices),
  }));
  rows.sort((a, b) =>
    by === 'day'
      ? a.name.localeCompare(b.name)
      : b.requests - a.requests || b.rejected - a.rejected || a.name.localeCompare(b.name),
  );
  return { from: range.fromDay, to: range.toDay, by, total: figuresOf(sums, prices), rows };
}

/** Groups whose ids are what people read. */
const NAMELESS: ReadonlySet<UsageGroup> = new Set(['day', 'model', 'session', 'tag', 'host']);

async function readSums(
  { storage }: UsageReportDeps,
  organizationId: string,
  range: UsageRange,
  by: UsageGroup,
  { projectId, session, tag }: UsageFilter,
): Promise<readonly LabelSum[]> {
  const { usageDetails } = storage;
  const label = session !== undefined ? `session=${session}` : tag === undefined ? undefined : `tag=${tag}`;
  if (label === undefined && !isLabelGroup(by)) {
    const dimensions = DIMENSIONS[by];
    if (projectId === undefined) return usageDetails.sum(organizationId, range, dimensions);
    const sums = await usageDetails.sum(organizationId, range, [
      ...new Set([...dimensions, 'projectId' as const]),
    ]);
    return sums.filter((sum) => sum.projectId === projectId);
  }
  const wanted = isLabelGroup(by) ? LABEL_GROUPS[by] : label!;
  // Clients of different projects may mean different things by a name, but a host is the same everywhere.
  if (projectId === undefined && !wanted.startsWith(LABEL_GROUPS.host)) throw needsProject();
  // A row has one label: the group's, or that of the filter.
  if (label !== undefined && isLabelGroup(by)) throw oneLabel(by);
  const summed = { by: isLabelGroup(by) ? (['label', 'model'] as const) : DIMENSIONS[by], label: wanted };
  const projectIds = projectId === undefined ? ['', ...(await idsOf(storage, organizationId))] : [projectId];
  const sums = await Promise.all(
    projectIds.map((id) => usageDetails.sumLabels(organizationId, id, range, summed)),
  );
  return sums.flat();
}

const idsOf = async (storage: Pick<Storage, 'projects'>, organizationId: string): Promise<string[]> =>
  (await storage.projects.list(organizationId)).map(({ id }) => id);

const needsProject = (): ValidationError =>
  new ValidationError([
    { loc: ['query', 'project_id'], msg: 'Name a project: labels are counted within one.', type: 'missing' },
  ]);
const oneLabel = (by: LabelGroup): ValidationError =>
  new ValidationError([
    { loc: ['query', 'by'], msg: `Leave out the filter by a label to group by ${by}.`, type: 'combination' },
  ]);

async function createIdentify(
  { storage }: UsageReportDeps,
  organizationId: string,
  by: UsageGroup,
): Promise<(sum: LabelSum) => string> {
  switch (by) {
    case 'session':
    case 'tag':
    case 'host':
      return ({ label = '' }) => label.slice(LABEL_GROUPS[by].length);
    case 'day':
      return ({ day = '' }) => day;
    case 'project':
      return ({ projectId = '' }) => projectId;
    case 'key':
      return ({ keyId = '' }) => keyId;
    case 'model':
      return ({ model = '' }) => model;
    case 'device':
      return ({ deviceId = '' }) => deviceId;
    case 'person': {
      const [keys, devices] = await Promise.all([
        storage.keys.list(organizationId),
        storage.devices.list(organizationId),
      ]);
      const people = new Map([...keys, ...devices].map(({ id, userId }) => [id, userId ?? '']));
      // The key of a device was created by the person who enrolled it; the device belongs to its assigned owner.
      return ({ keyId = '', deviceId = '' }) => people.get(deviceId === '' ? keyId : deviceId) ?? '';
    }
  }
}

function figuresOf(sums: readonly LabelSum[], prices: readonly ModelPrice[]): Figures {
  const total = (field: keyof UsageCounts) => sums.reduce((sum, counts) => sum + counts[field], 0);
  let cost: number | null = null;
  let unpriced = 0;
  for (const { model = '', inputTokens, outputTokens } of sums) {
    const price = prices.find((one) => matchesPattern(one.model, model));
    if (price === undefined) unpriced += inputTokens + outputTokens;
    else cost = (cost ?? 0) + (inputTokens * price.input_usd + outputTokens * price.output_usd) / 1e6;
  }
  const [scans, calls] = [total('scans'), total('calls')];
  return {
    requests: total('requests'),
    blocked: total('blocked'),
    redacted: total('redacted'),
    rejected: total('rejected'),
    provider_calls: calls,
    provider_errors: total('callErrors'),
    input_tokens: total('inputTokens'),
    output_tokens: total('outputTokens'),
    without_usage: total('unmetered'),
    cost_usd: cost === null ? null : Math.round(cost * 1e6) / 1e6,
    unpriced_tokens: unpriced,
    scan_ms: scans === 0 ? null : Math.round(total('scanUs') / scans) / 1000,
    provider_ms: calls === 0 ? null : Math.round((total('callMs') / calls) * 10) / 10,
  };
}
