import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { AuditQuery } from '../../apps/cloud/src/storage/model/audit.ts';
import type { AuditReport, Storage } from '../../apps/cloud/src/storage/storage.ts';
import { verifyAudit } from '../../scripts/verify-audit.ts';
import { type AuditTables, connect, openTables } from './storage-audit-tables.ts';
import { makeRecord, onEveryEngine } from './storage-engines.ts';
import { reportLines, TAMPERING_REPORTS } from './storage-tampering-reports.ts';
import { A, at, B, head, rehash } from './storage-tampering-tools.ts';
import { TAMPERINGS_OF_CHECKPOINTS } from './storage-tamperings-of-checkpoints.ts';
import { TAMPERINGS_OF_ROWS } from './storage-tamperings-of-rows.ts';

const ROWS = 60;
const VERY_LONG = 20_000;

onEveryEngine('The audit chain', (engine) => {
  let storage: Storage;
  let tables: Awaited<ReturnType<typeof openTables>>;
  let file: string;
  let clean: AuditTables;
  let old: AuditTables;
  let beforeCheckpoint: AuditTables;
  let cleanFile: string;
  before(async () => {
    storage = await engine.open();
    tables = await openTables(engine.options());
    file = path.join(engine.options().dataDir, 'audit-checkpoints.jsonl');
    const append = async (organizationId: string, from: number, to: number): Promise<void> => {
      for (let n = from; n <= to; n++) {
        if (n % 2 === 0)
          await storage.decisions.record(makeRecord(organizationId, { id: `evt_${organizationId}_${n}` }));
        else {
          const data = { note: 'é', b: n, a: { decision: 'allow' } };
          await storage.audit.append({
            organizationId,
            kind: 'key_created',
            actor: 'usr_a',
            subject: `key_${n}`,
            data,
          });
        }
      }
    };
    await append(A, 1, 20);
    await append(B, 1, 10);
    assert.equal(await storage.audit.checkpoint(), 2);
    old = await tables.read();
    await append(A, 21, 39);
    beforeCheckpoint = await tables.read();
    await append(A, 40, 40);
    assert.equal(await storage.audit.checkpoint(A), 1);
    assert.equal(await storage.audit.checkpoint(), 0);
    await append(A, 41, ROWS);
    clean = await tables.read();
    cleanFile = readFileSync(file, 'utf8');
  });
  after(() => tables.close());

  test('an untouched chain is valid, and rows without a checkpoint are reported as unanchored', async () => {
    const report = await storage.audit.verify(A);
    assert.deepEqual(
      {
        ...report,
        checkpoints: report.checkpoints.map(({ number, seq, valid, found_in }) => [
          number,
          seq,
          valid,
          found_in.length,
        ]),
      },
      {
        valid: true,
        checked: ROWS,
        faults: [],
        anchored_until: 40,
        unanchored_tail: 20,
        checkpoints: [
          [1, 20, true, 2],
          [2, 40, true, 2],
        ],
        notes: [],
        events_checked: ROWS / 2,
        events_changed: [],
        events_missing: [],
        events_unrecorded: [],
        events_covered_from: 1,
      },
    );
    assert.deepEqual(await storage.audit.listOrganizations(), [A, B]);
  });

  test('an empty chain is valid and anchors nothing', async () => {
    const report = await storage.audit.verify('org_none');
    assert.deepEqual(
      [report.valid, report.checked, report.anchored_until, report.unanchored_tail],
      [true, 0, 0, 0],
    );
  });

  describe('detects tampering', () => {
    for (const { name, act, seq, reason } of [...TAMPERINGS_OF_ROWS, ...TAMPERINGS_OF_CHECKPOINTS]) {
      test(name, async () => {
        const testEnv: AuditTables = structuredClone({
          rows: clean.rows,
          heads: clean.heads,
          checkpoints: clean.checkpoints,
        }) as AuditTables;
        testEnv.seed = clean.seed;
        const contents = { text: cleanFile };
        testEnv.restoreOld = (upTo) => {
          const { rows, heads, checkpoints } = upTo === 20 ? old : beforeCheckpoint;
          Object.assign(testEnv, structuredClone({ rows, heads, checkpoints }));
        };
        const rows = testEnv.rows.filter((row) => row.organization_id === A);
        const changed = act(rows, testEnv, contents);
        if (changed !== undefined)
          testEnv.rows = [...testEnv.rows.filter((row) => row.organization_id !== A), ...changed];
        await tables.write(testEnv);
        writeFileSync(file, contents.text);
        const report: AuditReport = await storage.audit.verify(A);
        assert.equal(report.valid, false, 'it was reported as valid');
        if (seq !== undefined) assert.equal(report.first_invalid?.seq, seq, JSON.stringify(report.faults));
        if (reason !== undefined) {
          const found =
            seq === undefined ? report.faults : report.faults.filter((fault) => fault.seq === seq);
          assert.ok(
            found.some((fault) => fault.reason === reason),
            JSON.stringify(report.faults),
          );
        }
        assert.ok(report.anchored_until < (report.first_invalid?.seq ?? 0) || report.anchored_until === 0);
        assert.deepEqual(reportLines(report), TAMPERING_REPORTS[name]);
      });
    }
  });

  test('without the file, the checkpoints of the database still anchor, and a note says so', async () => {
    await tables.write(clean);
    rmSync(file);
    const report = await storage.audit.verify(A);
    assert.deepEqual([report.valid, report.anchored_until], [true, 40]);
    assert.match(report.notes.join(), /is missing: its checkpoints/);
    writeFileSync(file, cleanFile);
  });

  test('a checkpoint that is only in the file, after a crash, still anchors, and a note says so', async () => {
    await tables.write({
      ...clean,
      checkpoints: clean.checkpoints.filter((c) => !(c.organization_id === A && c.number === 2)),
    });
    const report = await storage.audit.verify(A);
    assert.deepEqual([report.valid, report.anchored_until], [true, 40]);
    assert.match(report.notes.join(), /only in the file/);
    await tables.write(clean);
  });

  test('a line torn by a power cut is not reported as tampering', async () => {
    appendFileSync(file, '{"type":"checkpoint","form');
    await tables.write(clean);
    assert.equal(await storage.audit.checkpoint(B), 0);
    await storage.audit.append({
      organizationId: B,
      kind: 'key_created',
      actor: 'u',
      subject: 'k',
      data: {},
    });
    assert.equal(await storage.audit.checkpoint(B), 1);
    const report = await storage.audit.verify(B);
    assert.deepEqual([report.valid, report.unanchored_tail], [true, 0], JSON.stringify(report.faults));
    assert.match(report.notes.join(), /is invalid/);
    writeFileSync(file, cleanFile);
    await tables.write(clean);
  });

  test('a row moved to another chain is reported in both', async () => {
    const testEnv = structuredClone({
      rows: clean.rows,
      heads: clean.heads,
      checkpoints: clean.checkpoints,
    }) as AuditTables;
    const [a, b] = [A, B].map(
      (id) => testEnv.rows.find((row) => row.organization_id === id && row.seq === 5)!,
    );
    [a!.organization_id, b!.organization_id] = [B, A];
    await tables.write(testEnv);
    for (const id of [A, B]) assert.equal((await storage.audit.verify(id)).first_invalid?.seq, 5);
    await tables.write(clean);
  });

  test('a chain continues after tampering, and always reports it', async () => {
    const testEnv = structuredClone({
      rows: clean.rows,
      heads: clean.heads,
      checkpoints: clean.checkpoints,
    }) as AuditTables;
    const rows = testEnv.rows.filter((row) => row.organization_id === A);
    at(rows, 50).data = '{}';
    rehash(rows, 49);
    head(testEnv).hash = rows.at(-1)!.hash;
    await tables.write(testEnv);
    await storage.decisions.record(makeRecord(A));
    const report = await storage.audit.verify(A);
    assert.ok(
      report.faults.some(({ seq, reason }) => seq === 61 && reason === 'break_recorded'),
      JSON.stringify(report.faults),
    );
    assert.equal((await storage.audit.page(A)).rows[0]?.seq, 62);
    await tables.write(clean);
  });

  test('a verifier without secrets and without this code checks an export', async () => {
    const lines: string[] = [];
    for await (const line of storage.audit.exportLines(A)) lines.push(line);
    const text = lines.join('');
    const { publicKeyPem } = storage.audit;
    const report = await verifyAudit(lines, { publicKeyPem });
    assert.deepEqual([report.valid, report.rows, report.anchored_until], [true, ROWS, 40]);
    for (const change of [
      (t: string) => t.replace('"usr_a"', '"usr_b"'),
      (t: string) => t.replace('"hash":"', '"hash":"A'),
      (t: string) =>
        t.replace(/"hash":"[0-9a-f]+"/, (hash) => hash.toUpperCase().replace('"HASH"', '"hash"')),
      (t: string) => t.replace('"type":"row"', '"type":"row","more":1'),
      (t: string) =>
        t
          .split('\n')
          .filter((_line, index) => index !== 7)
          .join('\n'),
      (t: string) =>
        t
          .split('\n')
          .filter((_line, index) => index !== 60)
          .join('\n'),
      (t: string) => t.replace('"algorithm":"SHA-256"', '"algorithm":"MD5"'),
      (t: string) => t.replace('"signature":"', '"signature":"AAAA'),
      (t: string) => t.replaceAll(/"signature":"[^"]*"/g, '"signature":""'),
    ]) {
      const changed = change(text).trimEnd().split('\n');
      assert.notEqual((await verifyAudit(changed, { publicKeyPem })).fault, null, String(change));
    }
  });

  test('pages are newest first', async () => {
    const first = await storage.audit.page(A, { limit: 2 });
    assert.deepEqual([first.rows.map(({ seq }) => seq), first.next], [[60, 59], 59]);
    const next = await storage.audit.page(A, { before: first.next!, limit: 200, kind: 'policy_allow' });
    assert.deepEqual([next.rows.length, next.next], [29, null]);
    assert.deepEqual(first.rows[1]?.data, { note: 'é', b: 59, a: { decision: 'allow' } });
  });

  test('a page of changes is full however many decisions lie between, and only the last one ends the list', async () => {
    const changes = [1, 2, 12_000, 24_999];
    await tables.run(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 50000)
       INSERT INTO audit_rows (organization_id, seq, at_ms, kind, actor, subject, data, prev_hash, hash)
       SELECT 'org_busy', n, n, CASE WHEN n IN (${changes.join()}) THEN 'key_created' ELSE 'policy_allow' END,
         CASE WHEN n = 2 THEN 'usr_b' ELSE 'usr_a' END, 'key_1', '{}', one.prev_hash, one.hash
       FROM numbers, (SELECT * FROM audit_rows WHERE organization_id = '${A}' AND seq = 1) AS one`,
    );
    const seqs = async (query: AuditQuery) => {
      const { rows, next } = await storage.audit.page('org_busy', query);
      return [rows.map(({ seq }) => seq), next];
    };
    const only = 'changes';
    assert.deepEqual(await seqs({ only }), [[24_999, 12_000, 2, 1], null]);
    assert.deepEqual(await seqs({ only, limit: 2 }), [[24_999, 12_000], 12_000]);
    assert.deepEqual(await seqs({ only, limit: 2, before: 12_000 }), [[2, 1], null]);
    assert.deepEqual(await seqs({ only, actor: 'usr_b' }), [[2], null]);
    assert.deepEqual(await seqs({ kind: 'key_created', toMs: 12_000 }), [[2, 1], null]);
    assert.deepEqual(await seqs({ only, kind: 'policy_allow' }), [[], null]);
  });

  test('many rows of one organization are appended in order, after one another and in a transaction', async () => {
    const organizationId = 'org_many';
    const entries = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        ...{ organizationId, kind: 'x', actor: 'u', subject: `s${from + n}`, data: {} },
      }));
    await storage.audit.appendAll([]);
    await storage.audit.appendAll(entries(0, 501));
    await storage.transaction(({ audit }) => audit.appendAll(entries(501, 250)));
    await storage.audit.append(entries(751, 1)[0]!);
    const { rows } = await storage.audit.page(organizationId, { before: 504, limit: 200 });
    assert.deepEqual(
      [rows[0], rows.at(-1)].map((row) => [row?.seq, row?.subject]),
      [
        [503, 's502'],
        [304, 's303'],
      ],
    );
    const report = await storage.audit.verify(organizationId);
    assert.deepEqual([report.valid, report.checked], [true, 752]);
  });

  test('reads a long chain to its end', async () => {
    const records = Array.from({ length: VERY_LONG }, () => makeRecord('org_long'));
    for (let index = 0; index < VERY_LONG; index += 1000) {
      await Promise.all(records.slice(index, index + 1000).map((record) => storage.decisions.record(record)));
    }
    await tables.run(
      `UPDATE audit_rows SET actor = 'x' WHERE organization_id = 'org_long' AND seq = ${VERY_LONG}`,
    );
    const report = await storage.audit.verify('org_long');
    assert.deepEqual([report.checked, report.first_invalid?.seq], [VERY_LONG - 1, VERY_LONG]);
  });
});

onEveryEngine('A forged row with the next number', (engine) => {
  for (const how of ['decision', 'append'] as const) {
    test(`rejects no request, and always reports it (${how})`, async () => {
      const storage = await engine.open();
      const organizationId = `org_${how}`;
      await storage.decisions.record(makeRecord(organizationId));
      const { run, close } = await connect(engine.options());
      const columns = 'at_ms, kind, actor, subject, data, prev_hash, hash';
      await run(`INSERT INTO audit_rows (organization_id, seq, ${columns})
        SELECT organization_id, seq + 1, ${columns} FROM audit_rows WHERE organization_id = '${organizationId}'`);
      await close();
      if (how === 'decision') {
        await Promise.all([1, 2].map(() => storage.decisions.record(makeRecord(organizationId))));
      } else await storage.audit.append({ organizationId, kind: 'x', actor: 'u', subject: 's', data: {} });
      const report = await storage.audit.verify(organizationId);
      assert.deepEqual(
        report.faults.map(({ seq, reason }) => [seq, reason]),
        [
          [2, 'link_broken'],
          [3, 'break_recorded'],
        ],
      );
      assert.equal(report.checked, how === 'decision' ? 3 : 2);
    });
  }
});
