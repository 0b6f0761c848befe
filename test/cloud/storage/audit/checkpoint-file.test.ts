import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkpointToLine } from '../../../../apps/cloud/src/storage/audit/checkpoint.ts';
import { createCheckpointFile } from '../../../../apps/cloud/src/storage/audit/checkpoint-file.ts';
import type { Checkpoint } from '../../../../apps/cloud/src/storage/model/audit.ts';

function newFile(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-checkpoints-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'audit-checkpoints.jsonl');
}

const checkpoint = (organizationId: string, number: number): Checkpoint => ({
  ...{ organizationId, number, seq: 10 * number, hash: 'ab'.repeat(32), atMs: 1 },
  ...{ fileId: 'ckf_1', keyId: 'k', signature: 's' },
});
const [A1, A2, B1] = [checkpoint('org_a', 1), checkpoint('org_a', 2), checkpoint('org_b', 1)];

test('the file is made with an id of its own, which all who use it read', async (t) => {
  const file = newFile(t);
  assert.deepEqual(await createCheckpointFile(file).read(null), {
    id: null,
    checkpoints: [],
    unreadable: [],
  });
  const [one, other] = [createCheckpointFile(file), createCheckpointFile(file)];
  const [id, sameId] = await Promise.all([one.id(), other.id()]);
  assert.match(id, /^ckf_/);
  assert.equal(sameId, id);
  assert.equal(await one.id(), id);
  assert.equal(await createCheckpointFile(file).id(), id);
  assert.equal((await one.read(null)).id, id);
  assert.deepEqual(readdirSync(path.dirname(file)), [path.basename(file)], 'nothing else is left');
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('checkpoints are read in their order, of one organization or of all', async (t) => {
  const file = newFile(t);
  const stored = createCheckpointFile(file);
  for (const one of [A1, B1, A2]) await stored.append(one);
  assert.deepEqual((await stored.read(null)).checkpoints, [A1, B1, A2]);
  assert.deepEqual((await stored.read('org_a')).checkpoints, [A1, A2]);
  assert.deepEqual((await stored.read('org_c')).checkpoints, []);
  const [, ...lines] = readFileSync(file, 'utf8').split('\n');
  assert.deepEqual(lines, [...[A1, B1, A2].map((one) => checkpointToLine(one).trimEnd()), '']);
});

test('what is no checkpoint is named by its line; a torn line is ended before the next one', async (t) => {
  const file = newFile(t);
  const stored = createCheckpointFile(file);
  await stored.append(A1);
  appendFileSync(file, '{"type":"checkpoint","form');
  await stored.append(A2);
  appendFileSync(file, 'null\n');
  assert.deepEqual(await stored.read(null), {
    id: await stored.id(),
    checkpoints: [A1, A2],
    unreadable: [3, 5],
  });
});

test('a file whose first line is no header has no id, and its first line may be a checkpoint', async (t) => {
  const file = newFile(t);
  for (const header of [
    '',
    '{"format":"csg-audit-checkpoint-file-v1"}\n',
    '{"format":"other","file_id":"x"}\n',
  ]) {
    writeFileSync(file, header);
    const stored = createCheckpointFile(file);
    assert.equal(await stored.id(), 'unnamed');
    await stored.append(A1);
    const lines = header === '' ? [] : [1];
    assert.deepEqual(await stored.read(null), { id: null, checkpoints: [A1], unreadable: lines });
    assert.equal(readFileSync(file, 'utf8'), header + checkpointToLine(A1));
  }
});

test('a file that cannot be read or made is an error, not an empty one', async (t) => {
  const file = newFile(t);
  mkdirSync(file);
  await assert.rejects(createCheckpointFile(file).read(null), /EISDIR/);
  await assert.rejects(createCheckpointFile(path.join(file, 'none', 'file')).id(), /ENOENT/);
});

test('no file stays open', { skip: !existsSync('/proc/self/fd') && 'no /proc' }, async (t) => {
  const file = newFile(t);
  const stored = createCheckpointFile(file);
  const open = () => readdirSync('/proc/self/fd').length;
  await stored.append(A1);
  const before = open();
  for (let n = 0; n < 10; n++) {
    await stored.append(A1);
    await stored.read(null);
    await createCheckpointFile(file).id();
  }
  assert.ok(open() < before + 10, `${before} before, ${open()} after`);
});
