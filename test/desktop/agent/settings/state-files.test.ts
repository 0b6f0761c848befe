import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const ENROLLMENT = {
  server: 'https://gateway.example',
  deviceId: 'dev_1',
  organizationId: 'org_1',
  deviceName: 'Laptop',
  accountName: 'Example',
  signingKey: 'AAAA',
  enrolledAt: '2026-01-01T00:00:00.000Z',
};
const fresh = () => stateFiles(path.join(tempFolder('state'), 'state'));

test('an enrollment is stored for its owner only, and missing differs from damaged', () => {
  const files = fresh();
  assert.deepEqual(files.enrollment(), { kind: 'missing' });
  files.saveEnrollment(ENROLLMENT);
  assert.deepEqual(files.enrollment(), { kind: 'ok', enrollment: ENROLLMENT });
  assert.equal(statSync(path.join(files.dir, 'enrollment.json')).mode & 0o777, 0o600);
  for (const text of ['', '{', '{"server":"no address"}', 'null']) {
    writeFileSync(path.join(files.dir, 'enrollment.json'), text);
    assert.equal(files.enrollment().kind, 'damaged', text);
  }
});

test('removes all of the agent’s files, and keeps and names others', () => {
  const files = fresh();
  files.saveEnrollment(ENROLLMENT);
  files.write(files.root, 'PEM', 0o644);
  files.write(files.control, '{}');
  files.write(`${files.journal}-wal`, '');
  files.write(path.join(files.dir, 'notes of a person.txt'), 'mine');
  assert.deepEqual(files.removeAll(), [path.join(files.dir, 'notes of a person.txt')]);
  files.forget(path.join(files.dir, 'notes of a person.txt'));
  assert.deepEqual(files.removeAll(), []);
  assert.equal(existsSync(files.dir), false);
  assert.deepEqual(files.removeAll(), [], 'a second time changes nothing');
});
