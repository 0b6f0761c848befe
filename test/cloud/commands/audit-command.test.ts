import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import type { Json } from '../../support/answers.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { launchCli } from '../../support/gateway-process.ts';

describe('audit', { concurrency: 2 }, () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  let folder: string;
  let organizationId: string;
  const ROWS = 5;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csg-test-'));
    const dataDir = join(folder, 'kept');
    gateway = await startGateway({ dataDir });
    commands = commandLine(dataDir);
    ({ organizationId } = gateway.account);
    for (let n = 0; n < ROWS; n++) {
      await gateway.call('POST', '/api/v1/security/scan', { body: { content: `question ${n}` } });
    }
  });
  after(async () => {
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A copy of the closed database, changed by an attacker who can write to the file. */
  const tamper = async (name: string, sql: string): Promise<CommandLine> => {
    const dataDir = join(folder, name);
    await cp(gateway.dataDir, dataDir, { recursive: true });
    const database = new Database(join(dataDir, 'gateway.sqlite'));
    assert.equal(database.prepare(sql).run().changes, 1);
    database.close();
    return commandLine(dataDir);
  };

  test('verify exits with 0 for an intact chain and reports what no checkpoint covers yet', async () => {
    const report = await commands.json(['audit', 'verify']);
    assert.equal(report['valid'], true);
    assert.equal(report['organization_id'], organizationId);
    assert.ok((report['checked'] as number) > ROWS, JSON.stringify(report));
    for (const field of ['anchored_until', 'unanchored_tail', 'checkpoints'])
      assert.ok(field in report, field);
    const result = await commands.run(['audit', 'verify', '--organization', organizationId]);
    assert.equal(result.code, 0);
    assert.match(result.stdout, /the chain is valid: \d+ rows, \d+ events, anchored until row \d+/);
  });

  test('verify --require-anchor fails until a checkpoint covers the whole chain', async () => {
    const dataDir = join(folder, 'anchors');
    const fresh = await startGateway({ dataDir });
    await fresh.call('POST', '/api/v1/security/scan', { body: { content: 'hello' } });
    await fresh.storage.flush();
    const own = commandLine(dataDir);
    const before = await own.run(['audit', 'verify', '--require-anchor', '--json']);
    const report = JSON.parse(before.stdout) as Json;
    assert.ok((report['unanchored_tail'] as number) > 0, before.stdout);
    assert.equal(before.code, 1);
    // An orderly shutdown writes a checkpoint.
    await fresh.close();
    const afterwards = await own.run(['audit', 'verify', '--require-anchor', '--json']);
    assert.equal(afterwards.code, 0, afterwards.stdout);
    assert.equal((JSON.parse(afterwards.stdout) as Json)['unanchored_tail'], 0);
  });

  test('verify exits with 1 for an edited, a removed and a cut-off row, and names the row', async () => {
    const cases = [
      ['edited', `UPDATE audit_rows SET kind = 'policy_block' WHERE seq = 4`, 4],
      ['removed', 'DELETE FROM audit_rows WHERE seq = 3', 3],
      ['cut', 'DELETE FROM audit_rows WHERE seq = (SELECT max(seq) FROM audit_rows)', null],
    ] as const;
    await gateway.storage.flush();
    for (const [name, sql, seq] of cases) {
      const own = await tamper(name, sql);
      const result = await own.run(['audit', 'verify']);
      assert.equal(result.code, 1, `${name}: ${result.stdout}${result.stderr}`);
      assert.match(
        result.stdout,
        seq === null ? /BROKEN at row \d+: / : new RegExp(`BROKEN at row ${seq}: `),
      );
      const shown = await own.run(['audit', 'verify', '--json']);
      const report = JSON.parse(shown.stdout) as Json;
      assert.equal(shown.code, 1);
      assert.equal(report['valid'], false);
      if (seq !== null) assert.equal((report['first_invalid'] as Json)['seq'], seq);
    }
  });

  test('verify and export reject an organization without an audit chain', async () => {
    await commands.refuse(
      ['audit', 'verify', '--organization', 'org_unknown'],
      /Organization org_unknown has no audit log/,
    );
    await commands.refuse(
      ['audit', 'export', '--organization', 'org_unknown'],
      /Organization org_unknown has no audit log/,
    );
  });

  test('export writes every row once, as JSON lines without any scanned text', async () => {
    const ended = await commands.run(['audit', 'export']);
    assert.equal(ended.code, 0, ended.stderr);
    const lines = ended.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    const seqs = lines.map((line) => line['seq'] ?? (line['row'] as Json | undefined)?.['seq']);
    const rows = seqs.filter(
      (seq, index) => typeof seq === 'number' && JSON.stringify(lines[index]).includes('policy_allow'),
    );
    assert.equal(rows.length, ROWS);
    assert.doesNotMatch(ended.stdout, /question/);
    assert.doesNotMatch(ended.stdout, /svc_live_/);
  });

  test('export exits with 0 when its reader closes the pipe early', async () => {
    const dataDir = join(folder, 'long');
    const long = await startGateway({ dataDir });
    const scan = () => long.call('POST', '/api/v1/security/scan', { body: { content: 'hello' } });
    await Promise.all(Array.from({ length: 400 }, scan));
    const { child, ended } = launchCli(['audit', 'export'], { GATEWAY_DATA_DIR: dataDir });
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { code, stderr } = await ended;
    await long.close();
    assert.equal(stderr, '');
    assert.equal(code, 0);
  });
});
