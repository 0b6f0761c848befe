import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openJournal } from '../../../apps/desktop/src/journal/open-journal.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MODULE = path.resolve(import.meta.dirname, '../../../apps/desktop/src/journal/open-journal.ts');
const place = () => path.join(tempFolder('journal'), 'state', 'journal.sqlite');
const open = (file: string, maxEvents = 1_000) => openJournal({ file, maxEvents, nowMs: 0 });
const event = (id: string) => ({ event_id: id, decision: 'block' }) as const;

test('events are pending in order until they are deleted, each once', () => {
  const journal = open(place());
  for (const id of ['e1', 'e2', 'e1', 'e3']) journal.add(event(id));
  assert.equal(journal.waiting(), 3);
  assert.deepEqual(journal.next(2), [event('e1'), event('e2')]);
  assert.deepEqual(journal.next(2), [event('e1'), event('e2')], 'reading deletes nothing');
  journal.forget(['e1', 'e3', 'unknown']);
  assert.deepEqual(journal.next(9), [event('e2')]);
  journal.close();
});

test('beyond a limit the oldest are dropped, and counted across restarts', () => {
  const file = place();
  const journal = open(file, 3);
  for (let i = 1; i <= 5; i++) journal.add(event(`e${i}`));
  assert.deepEqual(
    journal.next(9).map(({ event_id }) => event_id),
    ['e3', 'e4', 'e5'],
  );
  journal.close();
  const again = open(file, 3);
  assert.equal(again.dropped(), 2);
  again.close();
});

test('the configuration is stored byte for byte', () => {
  const file = place();
  const journal = open(file);
  assert.equal(journal.config(), null);
  journal.saveConfig({ text: '{"a": 1.0,\n"ü":2}', etag: 'W/"pv_1"' });
  journal.close();
  const again = open(file);
  assert.deepEqual(again.config(), { text: '{"a": 1.0,\n"ü":2}', etag: 'W/"pv_1"' });
  again.close();
});

test('digests of answers survive a restart, the newest 20,000 of 30 days', () => {
  const file = place();
  const journal = open(file);
  const day = 86_400_000;
  journal.keepAnswers(['a', 'b'], 0);
  journal.keepAnswers(['b'], day);
  journal.close();
  const again = open(file);
  assert.deepEqual(again.answers(), [
    { digest: 'a', atMs: 0 },
    { digest: 'b', atMs: day },
  ]);
  again.keepAnswers(['c'], 30.5 * day);
  assert.deepEqual(
    again.answers().map(({ digest }) => digest),
    ['b', 'c'],
  );
  again.keepAnswers(
    Array.from({ length: 20_000 }, (_, i) => `d${i}`),
    30.6 * day,
  );
  assert.equal(again.answers().length, 20_000);
  assert.ok(again.answers().every(({ digest }) => digest.startsWith('d')));
  again.close();
});

test('after kill -9, every event that was confirmed is there', async () => {
  const file = place();
  const script = `
    import { openJournal } from '${MODULE}';
    const journal = openJournal({ file: '${file}', maxEvents: 100000, nowMs: 0 });
    for (let i = 0; ; i++) { journal.add({ event_id: 'e' + i, decision: 'allow' }); process.stdout.write('e' + i + '\\n'); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    if (output.length > 400) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const lines = output.split('\n').slice(0, -1);
  const journal = open(file);
  const kept = new Set(journal.next(100_000).map(({ event_id }) => event_id));
  assert.deepEqual(
    lines.filter((id) => !kept.has(id)),
    [],
  );
  assert.equal(journal.setAside, null);
  journal.close();
});

test('an invalid or damaged file is set aside and a new one created', () => {
  const noise = place();
  open(noise).close();
  writeFileSync(noise, 'this is no database at all, and long enough to look at');
  const fromNoise = open(noise);
  assert.ok(fromNoise.setAside !== null && readFileSync(fromNoise.setAside, 'utf8').startsWith('this is no'));
  fromNoise.add(event('e1'));
  assert.equal(fromNoise.waiting(), 1);
  fromNoise.close();

  const half = place();
  const whole = open(half);
  for (let i = 0; i < 500; i++) whole.add({ ...event(`e${i}`), model: 'm'.repeat(200) });
  whole.close();
  truncateSync(half, 20_000);
  const fromHalf = open(half);
  assert.ok(fromHalf.setAside !== null && existsSync(fromHalf.setAside));
  assert.equal(fromHalf.waiting(), 0);
  fromHalf.close();
});

test('its files are private to the owner, also those of an earlier version', () => {
  const file = place();
  const files = () =>
    [file, `${file}-wal`, `${file}-shm`].map((name) => (statSync(name).mode & 0o777).toString(8));
  const before = process.umask(0o022);
  try {
    const journal = open(file);
    journal.add(event('e1'));
    assert.deepEqual(files(), ['600', '600', '600']);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) chmodSync(name, 0o644);
    const again = open(file);
    assert.deepEqual(files(), ['600', '600', '600']);
    assert.equal(again.waiting(), 1);
    again.close();
    journal.close();
  } finally {
    process.umask(before);
  }
});
