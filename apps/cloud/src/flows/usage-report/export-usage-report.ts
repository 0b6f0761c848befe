import type { UsageReport } from '@csg/shared/contract';
import { csvLine } from '../../wire/csv.ts';

const COLUMNS = [
  ...['id', 'name', 'requests', 'blocked', 'redacted', 'rejected', 'provider_calls', 'provider_errors'],
  ...['input_tokens', 'output_tokens', 'without_usage', 'cost_usd', 'unpriced_tokens', 'scan_ms'],
  'provider_ms',
] as (keyof UsageReport['rows'][number])[];

/** Returns the report as CSV. */
export function usageReportCsv({ rows }: UsageReport): string {
  return [csvLine(COLUMNS), ...rows.map((row) => csvLine(COLUMNS.map((name) => row[name])))].join('');
}
