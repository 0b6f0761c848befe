import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { verifyDaily } from '../../../../apps/cloud/src/flows/audit/verify-daily.ts';
import { createLinks } from '../../../../apps/cloud/src/flows/links.ts';
import { watchOrganizations } from '../../../../apps/cloud/src/flows/notifications/watch-organizations.ts';
import { signInAs, type TestBrowser } from '../../../support/browser.ts';
import { createManualClock, type ManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { emailsTo as outboxTo } from '../../../support/outbox.ts';
import { type MailServer, startMailServer } from '../../../support/smtp.ts';
import { until } from '../../../support/until.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let mail: MailServer;
let gateway: TestGateway;
let admin: TestBrowser;
let clock: ManualClock;
const errors: object[] = [];

before(async () => {
  mail = await startMailServer();
  clock = createManualClock();
  // The tests tamper with the file of SQLite.
  gateway = await startGateway({ clock, env: { SMTP_URL: mail.url, DATABASE_URL: '' } });
  admin = await signInAs(gateway, 'admin');
});
after(async () => {
  await gateway.close();
  await mail.close();
});

const watch = () =>
  watchOrganizations({
    storage: gateway.storage,
    clock,
    links: createLinks(() => gateway.address),
  });
const verify = () =>
  verifyDaily({
    storage: gateway.storage,
    timestampAuthority: null,
    clock,
    log: { error: (fields) => errors.push(fields) },
  });
const textsTo = (address: string) =>
  mail.received.filter(({ to }) => to.includes(address)).map(({ text }) => text);

/** Waits for the jobs that send, which run by the real time. */
async function emailsTo(address: string, count: number): Promise<string[]> {
  for (let total = 1; textsTo(address).length < count; total++) await mail.waitFor(total);
  return textsTo(address);
}

/** Asserts that no more than these are sent or queued, also if the machine is too busy to have sent them yet. */
async function assertMails(address: string, count: number): Promise<void> {
  assert.equal((await emailsTo(address, count)).length, count);
  const database = new SqliteDatabase(path.join(gateway.dataDir, 'gateway.sqlite'), { readonly: true });
  const queued = await until(
    async () => database.prepare('SELECT count(*) FROM notifications').pluck().get(),
    (left) => left === 0,
  );
  database.close();
  assert.equal(queued, 0);
  assert.equal((await outboxTo(gateway, address)).length, count);
}

async function addTarget(address: string, events: string[]): Promise<void> {
  const made = await admin.call('POST', '/notification-targets', { kind: 'mail', address, events });
  assert.equal(made.status, 200, JSON.stringify(made.body));
}

test('a device that falls silent causes one email each time, and clocks that jump repeat none', async () => {
  const to = 'devices@example.com';
  await addTarget(to, ['device.silent']);
  const key = await gateway.addDevice();
  const report = async () => {
    const body = { agent_version: '1.0.0', proxy_restarts: 0, supervisor_state: 'quiet' };
    const reply = await gateway.call('POST', '/api/v1/devices/heartbeat', { key, body });
    assert.equal(reply.status, 200);
    await gateway.storage.flush();
  };
  await report();
  clock.advance(3 * MINUTE_MS);
  await watch();
  clock.advance(1_000);
  await watch();
  assert.match((await emailsTo(to, 1))[0]!, /The device Laptop has stopped reporting\./);
  clock.advance(10 * MINUTE_MS);
  await watch();
  await report();
  await watch();
  // Ten minutes back and forth: the device reported just now, whatever the clock says.
  clock.advance(-10 * MINUTE_MS);
  await watch();
  clock.advance(10 * MINUTE_MS);
  await watch();
  clock.advance(4 * MINUTE_MS);
  await watch();
  await assertMails(to, 2);
});

test('a changed audit log is noticed within a day, with one email for each first broken row', async () => {
  const to = 'audit@example.com';
  await addTarget(to, ['audit.failed']);
  await verify();
  assert.deepEqual(errors, []);
  const tamper = (seq: number) => {
    const database = new SqliteDatabase(path.join(gateway.dataDir, 'gateway.sqlite'));
    const { changes } = database
      .prepare("UPDATE audit_rows SET actor = 'mallory' WHERE organization_id = ? AND seq = ?")
      .run(gateway.account.organizationId, seq);
    database.close();
    assert.equal(changes, 1);
  };
  tamper(3);
  await verify();
  assert.deepEqual(errors, [], 'each log is read once a day');
  clock.advance(DAY_MS);
  await verify();
  assert.match((await emailsTo(to, 1))[0]!, /The audit log failed verification: .*3/);
  assert.equal(errors.length, 1);
  clock.advance(DAY_MS);
  await verify();
  await admin.call('POST', '/audit-log/verify-chain');
  tamper(2);
  clock.advance(DAY_MS);
  await verify();
  assert.match((await emailsTo(to, 2))[1]!, /2/);
  assert.equal(errors.length, 3);
  await assertMails(to, 2);
});
