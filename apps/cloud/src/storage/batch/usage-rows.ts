import type { LabelUsageRow, UsageDetailRow } from '../schema.ts';
import type { PreparedDecision } from './batch.ts';

/** The columns that are added up. */
export const USAGE_COUNTS = [
  ...(['requests', 'blocked', 'redacted', 'rejected', 'calls', 'call_errors', 'unmetered'] as const),
  ...(['input_tokens', 'output_tokens', 'scans', 'scan_us', 'call_ms'] as const),
] as const;
export const USAGE_COLUMNS = [
  ...(['organization_id', 'day', 'project_id', 'key_id', 'device_id', 'model'] as const),
  ...USAGE_COUNTS,
] as const satisfies readonly (keyof UsageDetailRow)[];
export const LABEL_COLUMNS = [...USAGE_COLUMNS, 'label'] as const;

/** Returns the usage of new decisions, one row for each UsagePlace; always in the same order, to avoid deadlocks. */
export function usageRows(decisions: readonly PreparedDecision[]): readonly UsageDetailRow[] {
  const rows = new Map<string, UsageDetailRow>();
  for (const decision of decisions) {
    const { event, day, usageModel: model } = decision;
    const { organization_id } = event;
    const project_id = event.project_id ?? '';
    const key_id = event.key_id ?? '';
    const device_id = event.device_id ?? '';
    const name = `${organization_id} ${day} ${project_id} ${key_id} ${device_id} ${model}`;
    let row = rows.get(name);
    if (row === undefined) {
      row = { organization_id, day, project_id, key_id, device_id, model, ...NOTHING };
      rows.set(name, row);
    }
    count(row, decision);
  }
  return [...rows.keys()].sort().map((name) => rows.get(name)!);
}

/** Returns the usage of new decisions that carry labels, one row for each label and UsagePlace, in the same order. */
export function labelRows(decisions: readonly PreparedDecision[]): readonly LabelUsageRow[] {
  const labels = new Set(decisions.flatMap((decision) => decision.labels));
  return [...labels].sort().flatMap((label) =>
    usageRows(decisions.filter((decision) => decision.labels.includes(label))).map((row) => ({
      ...row,
      label,
    })),
  );
}

function count(row: UsageDetailRow, { event, call }: PreparedDecision): void {
  if (event.direction === 'input') row.requests += 1;
  if (event.decision === 'block') row.blocked += 1;
  if (event.decision === 'redact') row.redacted += 1;
  row.scans += 1;
  row.scan_us += event.latency_us;
  if (call === null) return;
  row.calls += 1;
  if (call.isError) row.call_errors += 1;
  else if (call.tokens === null) row.unmetered += 1;
  row.input_tokens += call.tokens?.input ?? 0;
  row.output_tokens += call.tokens?.output ?? 0;
  row.call_ms += Math.round(call.ms);
}

const NOTHING = {
  ...{ requests: 0, blocked: 0, redacted: 0, rejected: 0, calls: 0, call_errors: 0, unmetered: 0 },
  ...{ input_tokens: 0, output_tokens: 0, scans: 0, scan_us: 0, call_ms: 0 },
};
