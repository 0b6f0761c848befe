import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { EmailSender } from '../../../apps/cloud/src/email/email-sender.ts';
import { createSmtpSender } from '../../../apps/cloud/src/email/smtp-sender.ts';
import { sendEmails } from '../../../apps/cloud/src/flows/accounts/send-emails.ts';
import { JOBS } from '../../../apps/cloud/src/jobs/job-table.ts';
import { startJob } from '../../../apps/cloud/src/jobs/start-job.ts';
import { openStorage } from '../../../apps/cloud/src/storage/open-storage.ts';
import type { EmailWithText, Storage } from '../../../apps/cloud/src/storage/storage.ts';
import { createManualClock } from '../../support/clock.ts';
import { type MailServer, startMailServer } from '../../support/smtp.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('the outbox', () => {
  const clock = createManualClock();
  const warnings: object[] = [];
  const log = { warn: (fields: object) => void warnings.push(fields), error: () => {} };
  let dataDir: string;
  let storage: Storage;
  let server: MailServer;
  let mailer: EmailSender;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'csg-test-'));
    storage = await openStorage({ dataDir, masterKey: Buffer.alloc(32, 1), now: clock.now });
    server = await startMailServer();
    mailer = createSmtpSender({ url: server.url, from: 'gateway@example.com' });
  });
  after(async () => {
    mailer.close();
    await server.close();
    await storage.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const add = (subject: string, to = 'ada@example.com') =>
    storage.emails.add({
      organizationId: null,
      kind: 'reset_password',
      to,
      subject,
      text: `Text of ${subject}`,
    });
  const send = () => sendEmails({ storage, emailSender: mailer, clock, log });
  const scope = { organizationId: 'org_none', withAccounts: true };
  const read = async (id: string): Promise<EmailWithText> => (await storage.emails.get(scope, id))!;

  test('sends an email once, and then deletes its text from the database', async () => {
    const { id } = await add('one');
    assert.equal(await send(), 1);
    assert.equal(await send(), 0);
    assert.equal(server.received.at(-1)?.text.trim(), 'Text of one');
    const sent = await read(id);
    assert.deepEqual([sent.status, sent.text, sent.attempts, sent.lastError], ['sent', null, 1, null]);
  });

  test('waits longer after each failure, and sends once the server accepts email again', async () => {
    const { id } = await add('patient');
    server.fate = 'later';
    const start = server.received.length;
    for (const [attempt, waitMs] of [
      MINUTE / 2,
      2 * MINUTE,
      10 * MINUTE,
      30 * MINUTE,
      120 * MINUTE,
    ].entries()) {
      assert.equal(await send(), 1, `attempt ${attempt + 1}`);
      const { status, lastError } = await read(id);
      assert.equal(status, 'waiting');
      assert.match(lastError ?? '', /Greylisted/);
      clock.advance(waitMs - 1);
      assert.equal(await send(), 0, `not before ${waitMs} ms`);
      clock.advance(1);
    }
    server.fate = 'take';
    assert.equal(await send(), 1);
    assert.equal(server.received.length, start + 1);
    assert.equal((await read(id)).status, 'sent');
  });

  test('does not retry a mailbox that does not exist, unless a person asks for it', async () => {
    const { id } = await add('nobody', 'nobody@example.com');
    const next = await add('next');
    server.fate = 'refuse';
    await send();
    server.fate = 'take';
    const failed = await read(id);
    assert.equal(failed.status, 'failed');
    assert.match(failed.lastError ?? '', /No such mailbox/);
    assert.ok(!JSON.stringify(warnings).includes('@'), 'no address in the log');
    clock.advance(DAY);
    await send();
    assert.equal((await read(id)).status, 'failed');
    assert.equal(await storage.emails.retry(scope, id, clock.now()), true);
    await send();
    assert.equal((await read(id)).status, 'sent');
    assert.equal((await read(next.id)).status, 'failed', 'it was rejected as well');
  });

  test('gives up an email that could not be sent for three days', async () => {
    const { id } = await add('late');
    clock.advance(3 * DAY + 1);
    const before = server.received.length;
    await send();
    assert.equal((await read(id)).status, 'failed');
    assert.equal(server.received.length, before);
  });

  test('sends an email again, with the same id, once the lease of a sender that died has ended', async () => {
    const { id } = await add('orphan');
    const [claimed] = await storage.emails.claim(clock.now(), 10 * MINUTE, 10);
    assert.equal(claimed?.id, id);
    assert.equal(await send(), 0, 'another sender has it');
    clock.advance(10 * MINUTE);
    assert.equal(await send(), 1);
    assert.match(server.received.at(-1)?.headers['message-id'] ?? '', new RegExp(`^<${id}@`));
  });

  test('sends each email once with two concurrent senders', async () => {
    const before = server.received.length;
    for (let n = 0; n < 25; n++) await add(`many ${n}`);
    const drain = async () => {
      for (let rounds = 0; rounds < 50 && (await send()) > 0; rounds++);
    };
    await Promise.all([drain(), drain()]);
    const subjects = server.received.slice(before).map(({ headers }) => headers['subject']);
    assert.equal(subjects.length, 25);
    assert.equal(new Set(subjects).size, 25);
  });

  test('sends, by its job, what is added while the job runs', async () => {
    const errors: string[] = [];
    const job = startJob(
      JOBS.sendEmails,
      {
        storage,
        emailSender: createSmtpSender({ url: server.url, from: 'g@example.com' }),
        clock,
        log,
      },
      { error: (_fields, message) => void errors.push(message) },
      5,
    );
    const before = server.received.length;
    await add('by the job');
    await server.waitFor(before + 1);
    await job.stop();
    assert.deepEqual(errors, []);
  });

  test('does not delay a shutdown for a stalled email server, and sends the email later', async () => {
    const { id } = await add('stalled');
    const silent = createServer();
    const connected = once(silent, 'connection') as Promise<[Socket]>;
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const errors: string[] = [];
    const job = startJob(
      JOBS.sendEmails,
      {
        storage,
        emailSender: createSmtpSender({ url: `smtp://127.0.0.1:${port}`, from: 'g@example.com' }),
        clock,
        log,
      },
      { error: (_fields, message) => void errors.push(message) },
      5,
    );
    const [socket] = await connected;
    await job.stop();
    assert.equal((await read(id)).lastError, null, 'the mailer itself still waits for the server');
    assert.deepEqual(errors, []);
    socket.destroy();
    silent.close();
    clock.advance(10 * MINUTE);
    for (let rounds = 0; rounds < 3 && (await read(id)).status !== 'sent'; rounds++) await send();
    assert.equal((await read(id)).status, 'sent');
  });
});
