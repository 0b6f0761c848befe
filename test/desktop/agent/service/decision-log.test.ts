import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { createDecisionLog } from '../../../../apps/desktop/src/agent/service/decision-log.ts';
import { openJournal } from '../../../../apps/desktop/src/journal/open-journal.ts';
import { makeDecisionEvent } from '../../../support/desktop/make-decision-event.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const EVENT = makeDecisionEvent();

function emptyJournal() {
  const file = path.join(tempFolder('log'), 'journal.sqlite');
  const journal = openJournal({ file, maxEvents: 1_000, nowMs: 0 });
  after(() => journal.close());
  return { file, journal };
}

test('recent decisions are stored in memory, those that the service does not know in the journal', () => {
  const { journal } = emptyJournal();
  const log = createDecisionLog(journal);
  for (let i = 0; i < 150; i++) {
    log.record({ ...EVENT, eventId: `evt_${i}`, decidedBy: i % 2 === 0 ? 'cloud' : 'device' });
  }
  assert.equal(log.recent().length, 100);
  assert.equal(log.recent()[0]?.event_id, 'evt_149');
  assert.match(log.recent()[0]?.why ?? '', /password, key or other secret/);
  assert.deepEqual(
    journal.next(1_000).map(({ event_id }) => event_id),
    Array.from({ length: 75 }, (_, n) => `evt_${2 * n + 1}`),
  );
  assert.equal(log.problem(), null);
});

test('a journal that cannot be written is reported until it can be again', () => {
  const { file, journal } = emptyJournal();
  const log = createDecisionLog(journal);
  const other = new Database(file);
  other.exec(`CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END`);
  assert.equal(log.record(EVENT).event_id, 'evt_1');
  assert.match(log.problem() ?? '', /cannot be stored .*SQLITE_CONSTRAINT.*Free space/);
  assert.equal(journal.waiting(), 0);
  other.exec('DROP TRIGGER full');
  other.close();
  log.record(EVENT);
  assert.deepEqual([log.problem(), journal.waiting()], [null, 1]);
});
