/** Written from the description of the format alone: nothing of the code that writes exports is used here. */
import { createHash, createPublicKey, verify } from 'node:crypto';

const ROW = [
  'type',
  'organization_id',
  'seq',
  'at_ms',
  'kind',
  'actor',
  'subject',
  'data',
  'prev_hash',
  'hash',
];
const ROW_FIELDS = ['organization_id', 'seq', 'at_ms', 'kind', 'actor', 'subject', 'data', 'prev_hash'];
const CHECKPOINT_FIELDS = ['organization_id', 'number', 'seq', 'hash', 'at_ms', 'file_id', 'key_id'];

type Line = Record<string, string | number>;

function bytes(format: string, line: Line, fields: readonly string[]): Buffer {
  const parts = fields.map((name) => {
    const value = Buffer.from(String(line[name]), 'utf8');
    return Buffer.concat([Buffer.from(`${value.length}:`), value, Buffer.from('\n')]);
  });
  return Buffer.concat([Buffer.from(`${format}\n`), ...parts]);
}

/** The key is the one the reader was given by another way than the file. */
export function verifyExport(
  text: string,
  publicKeyPem: string,
): { rows: number; anchoredUntil: number; fault: string | null } {
  const [header, ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const result = { rows: 0, anchoredUntil: 0, fault: null as string | null };
  const fail = (fault: string) => ({ ...result, fault });
  if (header?.['format'] !== 'csg-audit-row-v1' || header['algorithm'] !== 'SHA-256')
    return fail('unknown format');
  const key = createPublicKey(publicKeyPem);
  let previous = '0'.repeat(64);
  const hashes = new Map<number, string>();
  for (const line of lines) {
    if (line['type'] === 'row') {
      if (Object.keys(line).join() !== ROW.join()) return fail('other members');
      if (line['organization_id'] !== header['organization_id']) return fail('another organization');
      if (line['seq'] !== result.rows + 1 || line['prev_hash'] !== previous)
        return fail(`row ${line['seq']} does not follow`);
      previous = createHash('sha256')
        .update(bytes('csg-audit-row-v1', line, ROW_FIELDS))
        .digest('hex');
      if (line['hash'] !== previous) return fail(`row ${line['seq']} was changed`);
      result.rows += 1;
      hashes.set(result.rows, previous);
    } else if (line['type'] === 'checkpoint') {
      const signature = Buffer.from(String(line['signature']), 'base64');
      if (!verify(null, bytes('csg-audit-checkpoint-v1', line, CHECKPOINT_FIELDS), key, signature))
        return fail('forged');
      if (hashes.get(Number(line['seq'])) !== line['hash']) return fail('checkpoint of another chain');
      result.anchoredUntil = Math.max(result.anchoredUntil, Number(line['seq']));
    } else return fail('unknown line');
  }
  return result.rows === header['rows'] ? result : fail('rows are missing');
}
