import type { EventSummary } from '@csg/shared/contract';
import { type DeciderDeps, readDeciders } from '../../flows/insight/read-deciders.ts';
import { type NameDeps, type Names, readNames } from '../../flows/insight/read-names.ts';
import type { EventFilter, EventSort, SecurityEvent, Storage } from '../../storage/storage.ts';
import { csvLine } from '../../wire/csv.ts';
import { eventSummary } from './event-records.ts';

export const EXPORT_TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const;
export type ExportFormat = keyof typeof EXPORT_TYPES;

/** Small enough that formatting a page delays no other request. */
const PAGE = 250;

/** An event as a row of an export. */
interface ExportRow extends Omit<EventSummary, 'decided_by' | 'tags'> {
  readonly request_id: string | null;
  readonly project_name: string | null;
  readonly key_name: string | null;
  readonly device_name: string | null;
  readonly rules: string;
  readonly decided_by: string;
  readonly decided_by_id: string | null;
  readonly decided_by_name: string;
  readonly latency_ms: number;
  readonly tags: string;
}

/** Exports all events that match a filter, read page by page while they are sent. */
export async function* exportEvents(
  deps: NameDeps & DeciderDeps & { readonly storage: Pick<Storage, 'events'> },
  organizationId: string,
  query: { readonly filter: EventFilter; readonly sort: EventSort },
  format: ExportFormat,
): AsyncGenerator<string> {
  const names = await readNames(deps, organizationId);
  if (format === 'csv') yield csvLine(COLUMNS);
  let after: string | undefined;
  do {
    const page = await deps.storage.events.page(organizationId, {
      ...query,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    const nameDecider = await readDeciders(deps, organizationId, page.events);
    const rows = page.events.map((event) => exportRow(event, eventSummary(event, nameDecider), names));
    yield rows.map((row) => (format === 'csv' ? csvRow(row) : `${JSON.stringify(row)}\n`)).join('');
    after = page.next ?? undefined;
  } while (after !== undefined);
}

function exportRow(event: SecurityEvent, summary: EventSummary, names: Names): ExportRow {
  const { decided_by, tags, ...rest } = summary;
  return {
    ...rest,
    request_id: event.requestId,
    project_name: names.find(event.projectId),
    key_name: names.find(event.keyId),
    device_name: names.find(event.deviceId),
    rules: [...new Set(event.findings.map(({ rule }) => rule))].join(' '),
    decided_by: decided_by.kind,
    decided_by_id: decided_by.id,
    decided_by_name: decided_by.name,
    latency_ms: event.latencyUs / 1000,
    tags: tags.join(','),
  };
}

const COLUMNS = [
  ...(['id', 'at', 'decision', 'threat_type', 'confidence', 'direction', 'route', 'model'] as const),
  ...(['project_id', 'project_name', 'key_id', 'key_name', 'device_id', 'device_name'] as const),
  ...([
    'decided_by',
    'decided_by_id',
    'decided_by_name',
    'rules',
    'request_id',
    'failed',
    'latency_ms',
    'session',
    'tags',
  ] as const),
] satisfies readonly (keyof ExportRow)[];

function csvRow(row: ExportRow): string {
  return csvLine(COLUMNS.map((name) => row[name]));
}
