/**
 * Verifies an export of the audit log, offline and independently: this file shares no code with the writer of the log,
 * needs only Node, and has no secrets. Written from docs/audit.md; an auditor can read it in ten minutes.
 *
 *   node scripts/verify-audit.ts export.jsonl [--key public-key.pem] [--checkpoints kept.jsonl] [--require-anchor] [--json]
 *
 * Exits with 0 if the chain is valid, 1 if it is not (or, with --require-anchor, if no checkpoint covers some rows), 2
 * if it cannot be verified.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const ROW_FORMAT = 'csg-audit-row-v1';
const CHECKPOINT_FORMAT = 'csg-audit-checkpoint-v1';
const ROW_FIELDS = ['organization_id', 'seq', 'at_ms', 'kind', 'actor', 'subject', 'data', 'prev_hash'];
const ROW_MEMBERS = ['type', ...ROW_FIELDS, 'hash'];
const CHECKPOINT_FIELDS = ['organization_id', 'number', 'seq', 'hash', 'at_ms', 'file_id', 'key_id'];
const TIMESTAMP_MEMBERS = ['type', 'format', 'organization_id', 'number', 'at_ms', 'token'];
const CHECKPOINT_MEMBERS = ['type', 'format', 'algorithm', ...CHECKPOINT_FIELDS, 'signature'];

type Line = Record<string, unknown>;

export interface VerifiedAudit {
  readonly valid: boolean;
  readonly organization_id: string | null;
  readonly rows: number;
  /** Highest row that a genuine checkpoint covers; 0: none. */
  readonly anchored_until: number;
  readonly unanchored_tail: number;
  readonly checkpoints: number;
  /** First 16 hex digits of SHA-256 over the raw public key. */
  readonly key_id: string | null;
  /** True if the reader provided the key, instead of the export. */
  readonly key_given: boolean;
  /** The first problem, and its row if there is one. */
  readonly fault: { readonly row: number | null; readonly message: string } | null;
}

class ChainError extends Error {
  readonly row: number | null;
  constructor(row: number | null, message: string) {
    super(message);
    this.row = row;
  }
}

async function readExport(
  lines: AsyncIterable<string> | Iterable<string>,
  state: { organization: string | null; key: KeyObject | null; rows: number },
) {
  let header: Line | undefined;
  let previous = '0'.repeat(64);
  const hashes = createHashList();
  const seen: Line[] = [];
  for await (const text of lines) {
    if (text === '') continue;
    const line = parse(text);
    if (header === undefined) {
      header = readHeader(line);
      state.organization = String(header['organization_id']);
      state.key ??= createPublicKey(String(header['public_key']));
      continue;
    }
    switch (line['type']) {
      case 'row':
        if (seen.length > 0) throw new ChainError(null, 'A row follows the checkpoints.');
        previous = checkRow(line, header, state.rows, previous);
        state.rows += 1;
        hashes.add(previous);
        break;
      case 'checkpoint':
        seen.push(line);
        break;
      case 'timestamp':
        requireMembers(line, TIMESTAMP_MEMBERS, null);
        break;
      default:
        throw new ChainError(null, `A line is neither a row nor a checkpoint: ${String(line['type'])}.`);
    }
  }
  if (header === undefined || state.key === null) throw new ChainError(null, 'The export is empty.');
  return { header, key: state.key, seen, hashes };
}

function checkRowOf(checkpoint: Line, seq: number, rows: number, hash: unknown): void {
  const { number } = checkpoint;
  if (seq > rows) {
    const message = `Checkpoint ${number} covers row ${seq}, but the export ends at row ${rows}.`;
    throw new ChainError(rows + 1, message);
  }
  if (hash !== checkpoint['hash']) {
    throw new ChainError(seq, `Checkpoint ${number} was signed for a different row ${seq}.`);
  }
}

/** `stored`: checkpoints stored elsewhere, such as lines of audit-checkpoints.jsonl or received by webhook. */
export async function verifyAudit(
  lines: AsyncIterable<string> | Iterable<string>,
  options: { readonly publicKeyPem?: string; readonly stored?: readonly string[] } = {},
): Promise<VerifiedAudit> {
  const { publicKeyPem } = options;
  const key: KeyObject | null = publicKeyPem === undefined ? null : createPublicKey(publicKeyPem);
  const state = { organization: null as string | null, key, rows: 0, anchored: 0, checkpoints: 0 };
  const result = (problem: VerifiedAudit['fault']): VerifiedAudit => ({
    valid: problem === null,
    organization_id: state.organization,
    rows: state.rows,
    anchored_until: state.anchored,
    unanchored_tail: state.rows - state.anchored,
    checkpoints: state.checkpoints,
    key_id: state.key === null ? null : keyIdOf(state.key),
    key_given: options.publicKeyPem !== undefined,
    fault: problem,
  });
  try {
    const { header, key: signer, seen, hashes } = await readExport(lines, state);
    if (state.rows !== header['rows']) {
      throw new ChainError(
        state.rows + 1,
        `The header names ${header['rows']} rows, but the export has ${state.rows}.`,
      );
    }
    const stored = (options.stored ?? [])
      .filter((text) => text.trim() !== '')
      .map(parse)
      .filter((line) => line['type'] === 'checkpoint' && line['organization_id'] === state.organization);
    for (const line of [...seen, ...stored]) {
      checkCheckpoint(line, state.organization ?? '', signer);
      const seq = Number(line['seq']);
      checkRowOf(line, seq, state.rows, hashes.get(seq));
      state.checkpoints += 1;
      state.anchored = Math.max(state.anchored, seq);
    }
    return result(null);
  } catch (error) {
    if (error instanceof ChainError) return result({ row: error.row, message: error.message });
    throw error;
  }
}

const HASH_BYTES = 32;
const CHUNK_ROWS = 1 << 16;

/** 32 bytes per row: checkpoints come last, and may cover any of millions of rows. */
function createHashList() {
  const chunks: Buffer[] = [];
  let count = 0;
  return {
    add(hex: string): void {
      if (count % CHUNK_ROWS === 0) chunks.push(Buffer.allocUnsafe(CHUNK_ROWS * HASH_BYTES));
      chunks.at(-1)!.write(hex, (count % CHUNK_ROWS) * HASH_BYTES, 'hex');
      count += 1;
    },
    /** Of rows 1, 2, 3 … */
    get(row: number): string | undefined {
      if (!Number.isInteger(row) || row < 1 || row > count) return undefined;
      const at = ((row - 1) % CHUNK_ROWS) * HASH_BYTES;
      return chunks[Math.floor((row - 1) / CHUNK_ROWS)]!.toString('hex', at, at + HASH_BYTES);
    },
  };
}

function parse(text: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ChainError(null, 'A line is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ChainError(null, 'A line is not a JSON object.');
  return value as Line;
}

function readHeader(line: Line): Line {
  if (line['type'] !== 'header' || line['format'] !== ROW_FORMAT || line['algorithm'] !== 'SHA-256') {
    throw new ChainError(null, 'This is not an audit log export in a supported format.');
  }
  return line;
}

/** Returns the row's hash. */
function checkRow(line: Line, header: Line, before: number, previous: string): string {
  const due = before + 1;
  requireMembers(line, ROW_MEMBERS, due);
  if (line['organization_id'] !== header['organization_id'])
    throw new ChainError(due, `Row ${due} belongs to another organization.`);
  if (line['seq'] !== due)
    throw new ChainError(due, `Row ${String(line['seq'])} was found instead of row ${due}.`);
  if (line['prev_hash'] !== previous)
    throw new ChainError(due, `Row ${due} does not match the hash of the previous row.`);
  const hash = createHash('sha256')
    .update(bytes(ROW_FORMAT, line, ROW_FIELDS))
    .digest('hex');
  if (line['hash'] !== hash) throw new ChainError(due, `Row ${due} was changed after it was written.`);
  if (line['kind'] === 'audit_break_found') {
    throw new ChainError(due, `The service found the chain broken when it wrote row ${due}.`);
  }
  return hash;
}

function checkCheckpoint(line: Line, organization: string, key: KeyObject): void {
  requireMembers(line, CHECKPOINT_MEMBERS, null);
  const name = `Checkpoint ${String(line['number'])}`;
  if (line['format'] !== CHECKPOINT_FORMAT || line['algorithm'] !== 'Ed25519') {
    throw new ChainError(null, `${name} has an unsupported format.`);
  }
  const signature = Buffer.from(String(line['signature']), 'base64');
  const isGenuine =
    line['organization_id'] === organization &&
    line['key_id'] === keyIdOf(key) &&
    signature.length === 64 &&
    signature.toString('base64') === line['signature'] &&
    verify(null, bytes(CHECKPOINT_FORMAT, line, CHECKPOINT_FIELDS), key, signature);
  if (!isGenuine) throw new ChainError(null, `${name} was not signed with this key, or was changed.`);
}

/** The members must match exactly: unhashed data must not be present. */
function requireMembers(line: Line, members: readonly string[], row: number | null): void {
  if (Object.keys(line).sort().join() !== [...members].sort().join()) {
    throw new ChainError(row, 'A line has unexpected fields.');
  }
}

/** Returns the format's name, then `<UTF-8 byte length>:<UTF-8 text>` for each field, each with a newline. */
function bytes(format: string, line: Line, fields: readonly string[]): Buffer {
  const parts = fields.map((name) => {
    const value = Buffer.from(String(line[name]), 'utf8');
    return Buffer.concat([Buffer.from(`${value.length}:`), value, Buffer.from('\n')]);
  });
  return Buffer.concat([Buffer.from(`${format}\n`), ...parts]);
}

function keyIdOf(key: KeyObject): string {
  const raw = key.export({ format: 'der', type: 'spki' }).subarray(-32);
  return createHash('sha256').update(raw).digest('hex').slice(0, 16);
}

function describe(report: VerifiedAudit): string[] {
  if (report.fault !== null) {
    const where = report.fault.row === null ? '' : ` at row ${report.fault.row}`;
    return [`BROKEN${where}: ${report.fault.message}`];
  }
  const tail = report.unanchored_tail;
  return [
    `The chain of ${report.organization_id} is valid: ${report.rows} rows, ${report.checkpoints} checkpoints.`,
    `Anchored up to row ${report.anchored_until}${tail === 0 ? '.' : `; ${tail} later rows have no checkpoint yet.`}`,
    report.key_given
      ? `Signed with the given key (${report.key_id}).`
      : `Signed with ${report.key_id}, the key named in the export. Compare it with the key you noted, or pass yours with --key.`,
  ];
}

const USAGE =
  'Usage: verify-audit <export.jsonl | -> [--key file.pem] [--checkpoints file.jsonl] [--require-anchor] [--json]';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      checkpoints: { type: 'string' },
      'require-anchor': { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error(USAGE);
  const input = file === '-' ? process.stdin : createReadStream(file);
  const failed = new Promise<never>((_resolve, reject) => input.on('error', reject));
  const report = await Promise.race([
    failed,
    verifyAudit(createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }), {
      ...(values.key === undefined ? {} : { publicKeyPem: readFileSync(values.key, 'utf8') }),
      ...(values.checkpoints === undefined
        ? {}
        : { stored: readFileSync(values.checkpoints, 'utf8').split('\n') }),
    }),
  ]);
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${describe(report).join('\n')}\n`);
  process.exitCode = report.valid && !(values['require-anchor'] && report.unanchored_tail > 0) ? 0 : 1;
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  });
}
