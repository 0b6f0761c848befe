import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageReport } from '@csg/shared/contract';
import { parse } from 'csv-parse/sync';
import { usageReportCsv } from '../../../../apps/cloud/src/flows/usage-report/export-usage-report.ts';

const FIGURES = {
  ...{ requests: 1, blocked: 2, redacted: 3, rejected: 4, provider_calls: 5, provider_errors: 6 },
  ...{ input_tokens: 7, output_tokens: 8, without_usage: 9, cost_usd: 10.5, unpriced_tokens: 11 },
  ...{ scan_ms: 0.012, provider_ms: 13.1 },
};
const report = (rows: UsageReport['rows']): UsageReport => ({
  ...{ from: '2026-11-01', to: '2026-11-30', by: 'key', total: FIGURES, rows },
});

test('every figure of a row has a column of its name, in a fixed order', () => {
  const csv = usageReportCsv(report([{ id: 'key_1', name: 'One, "two"', ...FIGURES }]));
  const [head, row, ...others] = parse(csv) as string[][];
  assert.deepEqual(head, ['id', 'name', ...Object.keys(FIGURES)]);
  assert.deepEqual(row, ['key_1', 'One, "two"', ...Object.values(FIGURES).map(String)]);
  assert.deepEqual(others, []);
});

test('rows keep their order, unknown figures are empty, and without rows there is only the first line', () => {
  const unknown = { ...FIGURES, cost_usd: null, scan_ms: null, provider_ms: null };
  const csv = usageReportCsv(
    report([
      { id: 'key_2', name: 'B', ...FIGURES },
      { id: null, name: 'None', ...unknown },
    ]),
  );
  const rows = parse(csv, { columns: true }) as Record<string, string>[];
  assert.deepEqual(
    rows.map(({ id, name, cost_usd, scan_ms, provider_ms }) => [id, name, cost_usd, scan_ms, provider_ms]),
    [
      ['key_2', 'B', '10.5', '0.012', '13.1'],
      ['', 'None', '', '', ''],
    ],
  );
  assert.equal((parse(usageReportCsv(report([]))) as string[][]).length, 1);
});
