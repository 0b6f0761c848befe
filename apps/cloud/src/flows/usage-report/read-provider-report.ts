import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ValidationError } from '@csg/shared/contract';
import { parse } from 'csv-parse';

/** Usage of a model on a day, as counted by the provider. */
export interface ProviderUsage {
  /** YYYY-MM-DD in UTC. */
  readonly day: string;
  readonly model: string;
  /** Null if the report does not count requests. */
  readonly requests: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

type Cells = Readonly<Record<string, unknown>>;

/** Column and field names in exports and usage APIs of providers. */
const DAY = [
  ...['start_time_iso', 'start_time', 'starting_at', 'usage_date_utc', 'usage_date', 'date', 'day'],
  'timestamp',
];
const MODEL = ['model', 'model_version', 'model_name', 'snapshot_id'];
const REQUESTS = ['num_model_requests', 'n_requests', 'request_count', 'requests'];
/** Input tokens as one number, including cached ones. */
const INPUT = ['input_tokens', 'prompt_tokens', 'n_context_tokens_total'];
/** Input tokens as parts to add up. */
const INPUT_PARTS = [
  ...['uncached_input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
  ...['ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'],
  ...['usage_input_tokens_no_cache', 'usage_input_tokens_cache_read'],
  ...['usage_input_tokens_cache_write_5m', 'usage_input_tokens_cache_write_1h'],
];
const OUTPUT = ['output_tokens', 'completion_tokens', 'usage_output_tokens', 'n_generated_tokens_total'];
const MAX_ROWS = 10_000;
const MAX_CELLS = 200_000;
const MAX_COLUMNS = 100;
const MAX_RECORD_BYTES = 8_192;
const MAX_LINE_CHARS = 4_096;
const PIECE_CHARS = 4_096;

/** Reads a provider's usage export: CSV with a header line, or the JSON of its usage API. */
export async function readProviderReport(text: string): Promise<readonly ProviderUsage[]> {
  const rows = /^\s*[[{]/.test(text) ? readJson(text) : await readCsv(text);
  if (rows.length === 0) throw invalid('The report contains no usage.');
  if (rows.length > MAX_ROWS)
    throw invalid(`The report has ${rows.length} rows; at most ${MAX_ROWS} can be compared.`);
  return rows.map(readRow);
}

async function readCsv(text: string): Promise<readonly Cells[]> {
  if (text.split('\n').some((line) => line.length > MAX_LINE_CHARS))
    throw invalid('A line of the report is too long for a usage export.');
  // Parsing time depends on the number of cells.
  if (text.split(',').length > MAX_CELLS) throw invalid(`The report has more than ${MAX_CELLS} cells.`);
  const rows: Cells[] = [];
  try {
    const options = {
      bom: true,
      columns: toNames,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    };
    const parser = Readable.from(piecesOf(text)).pipe(
      parse({ ...options, max_record_size: MAX_RECORD_BYTES }),
    );
    for await (const row of parser) rows.push(row as Cells);
  } catch (error) {
    throw invalid(`The report is not CSV: ${(error as Error).message}`);
  }
  return rows;
}

/** Yields the text in pieces, so that other requests can run in between. */
async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE_CHARS) {
    yield text.slice(at, at + PIECE_CHARS);
    await nextTurn();
  }
}

function toNames(head: readonly string[]): string[] {
  if (head.length > MAX_COLUMNS) throw new Error(`its first line has more than ${MAX_COLUMNS} columns.`);
  return head.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_'),
  );
}

/** Reads pages of buckets with results, or a list of rows. */
function readJson(text: string): readonly Cells[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('The report is neither CSV nor JSON.');
  }
  const pages = Array.isArray(value) ? value : [value];
  const buckets = pages.flatMap((page) =>
    isObject(page) && Array.isArray(page['data']) ? page['data'] : [page],
  );
  return buckets.filter(isObject).flatMap((bucket) => {
    const { results } = bucket;
    if (!Array.isArray(results)) return [flatten(bucket)];
    return results.filter(isObject).map((result) => ({ ...bucket, ...flatten(result) }));
  });
}

function flatten(cells: Cells): Cells {
  const nested = cells['cache_creation'];
  return isObject(nested) ? { ...cells, ...nested } : cells;
}

function readRow(cells: Cells, index: number): ProviderUsage {
  const at = `row ${index + 1}`;
  const day = readDay(find(cells, DAY));
  if (day === null)
    throw invalid(`The date of ${at} is missing or cannot be read. Expected one of: ${DAY.join(', ')}.`);
  const model = find(cells, MODEL);
  if (typeof model !== 'string' || model === '')
    throw invalid(`The model of ${at} is missing: export the usage grouped by model.`);
  const input = find(cells, INPUT);
  const parts = INPUT_PARTS.filter((name) => cells[name] !== undefined);
  const output = find(cells, OUTPUT);
  if ((input === undefined && parts.length === 0) || output === undefined)
    throw invalid(`${at} has no input tokens or no output tokens.`);
  const requests = find(cells, REQUESTS);
  return {
    day,
    model,
    requests: requests === undefined ? null : readCount(requests, at),
    inputTokens:
      input === undefined
        ? parts.reduce((sum, name) => sum + readCount(cells[name], at), 0)
        : readCount(input, at),
    outputTokens: readCount(output, at),
  };
}

function find(cells: Cells, names: readonly string[]): unknown {
  return names.map((name) => cells[name]).find((cell) => cell !== undefined && cell !== null && cell !== '');
}

/** Parses a date, a time, or seconds since 1970. */
function readDay(cell: unknown): string | null {
  const text = String(cell ?? '');
  const ms = /^\d{9,11}$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
  return Number.isFinite(ms) && ms > 0 && ms < 4e12 ? new Date(ms).toISOString().slice(0, 10) : null;
}

function readCount(cell: unknown, at: string): number {
  const number = cell === '' || cell === null ? 0 : Number(cell);
  if (!Number.isSafeInteger(number) || number < 0)
    throw invalid(`${at} contains "${String(cell).slice(0, 40)}" where a number is expected.`);
  return number;
}

function isObject(value: unknown): value is Cells {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(msg: string): ValidationError {
  return new ValidationError([{ loc: ['body', 'report'], msg, type: 'provider_report' }]);
}
