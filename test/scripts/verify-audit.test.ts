import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CHECKPOINT_FORMAT, canonicalBytes, rowHash } from '../../apps/cloud/src/storage/audit/canonical.ts';
import { openStorage } from '../../apps/cloud/src/storage/open-storage.ts';
import { verifyAudit } from '../../scripts/verify-audit.ts';
import { MASTER_KEY, makeRecord } from '../conformance/storage-engines.ts';
import { runCommand } from '../support/run-command.ts';

const SCRIPT = new URL('../../scripts/verify-audit.ts', import.meta.url).pathname;

describe('an export, checked by a program that shares no code with the writer', () => {
  let folder: string;
  let lines: string[];
  let kept: string[];
  let publicKeyPem: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csg-verify-'));
    const storage = await openStorage({ dataDir: folder, masterKey: MASTER_KEY, now: Date.now });
    for (let n = 0; n < 30; n++) await storage.decisions.record(makeRecord('org_a'));
    await storage.audit.checkpoint();
    for (let n = 0; n < 5; n++) await storage.decisions.record(makeRecord('org_a'));
    lines = [];
    for await (const line of storage.audit.exportLines('org_a')) lines.push(line.trim());
    publicKeyPem = storage.audit.publicKeyPem;
    await storage.close();
    kept = readFileSync(join(folder, 'audit-checkpoints.jsonl'), 'utf8').split('\n');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const change = (at: number, how: (line: Record<string, unknown>) => void): string[] =>
    lines.map((line, index) => {
      if (index !== at) return line;
      const value = JSON.parse(line);
      how(value);
      return JSON.stringify(value);
    });
  /** Recomputes hashes and links from a row on, as an attacker who knows the format would. */
  const rehashed = (from: readonly string[]): string[] => {
    let prevHash = '0'.repeat(64);
    return from.map((line) => {
      const row = JSON.parse(line);
      if (row.type !== 'row') return line;
      row.prev_hash = prevHash;
      prevHash = rowHash({
        organizationId: row.organization_id,
        seq: row.seq,
        atMs: row.at_ms,
        kind: row.kind,
        actor: row.actor,
        subject: row.subject,
        data: row.data,
        prevHash,
      });
      return JSON.stringify({ ...row, hash: prevHash });
    });
  };
  const fault = async (given: string[], options = {}) => (await verifyAudit(given, options)).fault;

  test('is valid as written; the tail is distinguished from anchored rows', async () => {
    const report = await verifyAudit(lines, { publicKeyPem, stored: kept.slice(0, 2) });
    assert.deepEqual(
      { ...report, key_id: '' },
      {
        valid: true,
        organization_id: 'org_a',
        rows: 35,
        anchored_until: 30,
        unanchored_tail: 5,
        checkpoints: 2,
        key_id: '',
        key_given: true,
        fault: null,
      },
    );
    // The checkpoint written when the storage closed covers the tail too.
    assert.equal((await verifyAudit(lines, { publicKeyPem, stored: kept })).unanchored_tail, 0);
  });

  test('every change to it is detected, at its row', async () => {
    for (const [what, changed, row] of [
      ['an actor', change(10, (row) => (row['actor'] = 'usr_x')), 10],
      ['a time', change(10, (row) => (row['at_ms'] = 1)), 10],
      ['data', change(10, (row) => (row['data'] = '{}')), 10],
      ['another member', change(10, (row) => (row['note'] = 'x')), 10],
      ['a missing member', change(10, (row) => delete row['kind']), 10],
      ['case of a hash', change(10, (row) => (row['hash'] = String(row['hash']).toUpperCase())), 10],
      ['another organization', change(10, (row) => (row['organization_id'] = 'org_b')), 10],
      ['a row taken out', lines.filter((_line, index) => index !== 10), 10],
      [
        'two rows swapped',
        lines.map((line, index) => (index === 10 ? lines[11]! : index === 11 ? lines[10]! : line)),
        10,
      ],
      ['a row twice', lines.flatMap((line, index) => (index === 10 ? [line, line] : [line])), 11],
      ['the last row taken out', lines.filter((_line, index) => index !== 35), 35],
      ['all of it rehashed', rehashed(change(10, (row) => (row['actor'] = 'usr_x'))), 30],
    ] as const) {
      const found = await fault(changed, { publicKeyPem });
      assert.equal(found?.row, row, `${what}: ${found?.message}`);
    }
    for (const changed of [
      change(36, (line) => (line['signature'] = '')),
      change(36, (line) => (line['signature'] = otherFirst(String(line['signature'])))),
      change(36, (line) => (line['seq'] = 29)),
      change(36, (line) => (line['algorithm'] = 'none')),
      change(0, (line) => (line['algorithm'] = 'MD5')),
      change(0, (line) => (line['rows'] = 36)),
      [],
      ['not json'],
      ['[]'],
      [...lines, '{"type":"other"}'],
    ]) {
      assert.notEqual(await fault(changed, { publicKeyPem }), null);
    }
  });

  test('a chain truncated or rewritten with another key is detected by a copy stored elsewhere', async () => {
    const short = [...lines.slice(0, 21), ...lines.slice(36)].map((line, index) =>
      index === 0 ? JSON.stringify({ ...JSON.parse(line), rows: 20 }) : line,
    );
    const withoutCheckpoints = short.filter((line) => JSON.parse(line).type !== 'checkpoint');
    assert.equal(await fault(withoutCheckpoints, { publicKeyPem }), null, 'nothing inside reveals it');
    assert.match(
      (await fault(withoutCheckpoints, { publicKeyPem, stored: kept }))?.message ?? '',
      /ends at row 20/,
    );

    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const forgedKey = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const forged = rehashed(change(10, (row) => (row['actor'] = 'usr_x'))).map((line) => {
      const value = JSON.parse(line);
      if (value.type === 'header') return JSON.stringify({ ...value, public_key: forgedKey });
      if (value.type !== 'checkpoint') return line;
      const fields = ['organization_id', 'number', 'seq', 'hash', 'at_ms', 'file_id', 'key_id'];
      const bytes = canonicalBytes(
        CHECKPOINT_FORMAT,
        fields.map((name) => value[name]),
      );
      return JSON.stringify({
        ...value,
        signature: sign(null, Buffer.from(bytes), privateKey).toString('base64'),
      });
    });
    assert.notEqual(await fault(forged, { publicKeyPem }), null);
  });

  test('as a program exits with 0 if valid, 1 if broken or unanchored where that matters, 2 if unchecked', async () => {
    const file = join(folder, 'export.jsonl');
    await writeFile(file, lines.join('\n'));
    await writeFile(join(folder, 'key.pem'), publicKeyPem);
    const run = (...args: string[]) => runCommand(process.execPath, [SCRIPT, ...args]).ended;
    const well = await run(file, '--key', join(folder, 'key.pem'));
    assert.equal(well.code, 0, well.stderr);
    assert.match(well.stdout, /is valid: 35 rows, 1 checkpoints[\s\S]*Anchored up to row 30; 5 later rows/);
    assert.equal((await run(file, '--require-anchor')).code, 1);
    const checkpoints = join(folder, 'audit-checkpoints.jsonl');
    assert.equal((await run(file, '--require-anchor', '--checkpoints', checkpoints)).code, 0);
    const report = JSON.parse((await run(file, '--json')).stdout);
    assert.deepEqual([report.valid, report.key_given], [true, false]);
    await writeFile(file, change(10, (row) => (row['actor'] = 'usr_x')).join('\n'));
    const broken = await run(file);
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /^BROKEN at row 10: Row 10 was changed after it was written/);
    assert.equal((await run()).code, 2);
    assert.equal((await run(join(folder, 'none.jsonl'))).code, 2);
  });
});

/** The same base64 except for its first letter. */
function otherFirst(base64: string): string {
  return `${base64.startsWith('A') ? 'B' : 'A'}${base64.slice(1)}`;
}
