import type { ModelPrice, UsageGroup, UsageReport } from '@csg/shared/contract';
import { matchesPattern } from '@csg/shared/detection';
import type { Storage, UsageDimension, UsageSum } from '../../storage/storage.ts';
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

/** Prices are per model, so every grouping also reads the models. */
const DIMENSIONS: Readonly<Record<UsageGroup, readonly UsageDimension[]>> = {
  day: ['day', 'model'],
  project: ['projectId', 'model'],
  key: ['keyId', 'model'],
  model: ['model'],
  device: ['deviceId', 'model'],
  person: ['keyId', 'deviceId', 'model'],
};

type Figures = UsageReport['total'];

/** Returns an organization's usage over a range of days, grouped as requested. */
export async function readUsageReport(
  deps: UsageReportDeps,
  organizationId: string,
  range: UsageRange,
  by: UsageGroup,
): Promise<UsageReport> {
  await deps.meter.flush();
  const [sums, prices, names, identify] = await Promise.all([
    deps.storage.usageDetails.sum(organizationId, range, DIMENSIONS[by]),
    deps.storage.usageDetails.getPrices(organizationId),
    readNames(deps, organizationId),
    createIdentify(deps, organizationId, by),
  ]);
  const rows = [...Map.groupBy(sums, identify)].map(([id, group]) => ({
    id: id === '' ? null : id,
    name: id === '' ? 'None' : by === 'day' || by === 'model' ? id : names.of(id),
    ...figuresOf(group, prices),
  }));
  rows.sort((a, b) =>
    by === 'day'
      ? a.name.localeCompare(b.name)
      : b.requests - a.requests || b.rejected - a.rejected || a.name.localeCompare(b.name),
  );
  return { from: range.fromDay, to: range.toDay, by, total: figuresOf(sums, prices), rows };
}

async function createIdentify(
  { storage }: UsageReportDeps,
  organizationId: string,
  by: UsageGroup,
): Promise<(sum: UsageSum) => string> {
  switch (by) {
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

function figuresOf(sums: readonly UsageSum[], prices: readonly ModelPrice[]): Figures {
  const total = (field: keyof Omit<UsageSum, UsageDimension>) =>
    sums.reduce((sum, counts) => sum + counts[field], 0);
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
