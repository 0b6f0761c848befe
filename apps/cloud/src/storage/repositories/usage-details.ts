import type { ModelPrice } from '@csg/shared/contract';
import { sql } from 'kysely';
import type { UsageCounts, UsageDetails, UsageDimension, UsagePlace } from '../model/usage-details.ts';
import type { UsageDetailRow } from '../schema.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const COLUMNS = {
  requests: 'requests',
  blocked: 'blocked',
  redacted: 'redacted',
  rejected: 'rejected',
  calls: 'calls',
  callErrors: 'call_errors',
  unmetered: 'unmetered',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  scans: 'scans',
  scanUs: 'scan_us',
  callMs: 'call_ms',
} as const satisfies Record<keyof UsageCounts, keyof UsageDetailRow>;
const COUNTS = Object.entries(COLUMNS) as [keyof UsageCounts, (typeof COLUMNS)[keyof UsageCounts]][];

const DIMENSIONS = {
  day: 'day',
  projectId: 'project_id',
  keyId: 'key_id',
  deviceId: 'device_id',
  model: 'model',
} as const satisfies Record<UsageDimension, keyof UsageDetailRow>;

const LABEL_DIMENSIONS = { ...DIMENSIONS, label: 'label' } as const;

const CHUNK = 100;

export function createUsageDetails({
  db,
  reads,
  now,
}: Pick<RepositoryDeps, 'db' | 'reads' | 'now'>): UsageDetails {
  return {
    async add(rows) {
      // Always in the same order, so that concurrent writers do not deadlock.
      const sorted = rows.map(rowOf).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
      for (let from = 0; from < sorted.length; from += CHUNK) {
        await db
          .insertInto('usage_details')
          .values(sorted.slice(from, from + CHUNK))
          .onConflict((conflict) =>
            conflict
              .columns(['organization_id', 'day', 'project_id', 'key_id', 'device_id', 'model'])
              .doUpdateSet(
                Object.fromEntries(
                  COUNTS.map(([, column]) => [
                    column,
                    sql<number>`${sql.ref(`usage_details.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
                  ]),
                ),
              ),
          )
          .execute();
      }
    },
    async sum(organizationId, { fromDay, toDay }, by) {
      const rows = await reads
        .selectFrom('usage_details')
        .select((q) => [
          ...by.map((name) => q.ref(DIMENSIONS[name]).as(name)),
          ...COUNTS.map(([name, column]) => q.fn.sum<number>(column).as(name)),
        ])
        .where('organization_id', '=', organizationId)
        .where('day', '>=', fromDay)
        .where('day', '<=', toDay)
        .groupBy(by.map((name) => DIMENSIONS[name]))
        .execute();
      return rows.map(withNumbers);
    },
    async sumLabels(organizationId, projectId, { fromDay, toDay }, { by, label }) {
      let query = reads
        .selectFrom('usage_labels')
        .select((q) => [
          ...by.map((name) => q.ref(LABEL_DIMENSIONS[name]).as(name)),
          ...COUNTS.map(([name, column]) => q.fn.sum<number>(column).as(name)),
        ])
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', projectId)
        .where('day', '>=', fromDay)
        .where('day', '<=', toDay)
        .groupBy(by.map((name) => LABEL_DIMENSIONS[name]));
      // A beginning is a range of the index: from it to the same with its last character increased.
      query = label.endsWith('=')
        ? query.where('label', '>=', label).where('label', '<', `${label.slice(0, -1)}>`)
        : query.where('label', '=', label);
      return (await query.execute()).map(withNumbers);
    },
    async getPrices(organizationId) {
      const row = await db
        .selectFrom('model_prices')
        .select('prices')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      return row === undefined ? [] : (JSON.parse(row.prices) as ModelPrice[]);
    },
    async setPrices(organizationId, prices) {
      const columns = { prices: toStorableText(JSON.stringify(prices)), updated_at_ms: now() };
      await db
        .insertInto('model_prices')
        .values({ organization_id: organizationId, ...columns })
        .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(columns))
        .execute();
    },
  };
}

function withNumbers<Row extends Record<keyof UsageCounts, unknown>>(row: Row): Row & UsageCounts {
  const sums = COUNTS.map(([name]) => [name, Number(row[name])] as const);
  return { ...row, ...(Object.fromEntries(sums) as unknown as UsageCounts) };
}

function rowOf(one: UsagePlace & UsageCounts): UsageDetailRow {
  return {
    organization_id: one.organizationId,
    day: one.day,
    project_id: one.projectId,
    key_id: one.keyId,
    device_id: one.deviceId,
    model: toStorableText(one.model),
    ...(Object.fromEntries(COUNTS.map(([name, column]) => [column, Math.round(one[name])])) as Omit<
      UsageDetailRow,
      'organization_id' | 'day' | 'project_id' | 'key_id' | 'device_id' | 'model'
    >),
  };
}

function nameOf({ organization_id, day, project_id, key_id, device_id, model }: UsageDetailRow): string {
  return [organization_id, day, project_id, key_id, device_id, model].join(' ');
}
