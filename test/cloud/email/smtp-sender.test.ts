import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EmailRejectedError, type EmailSender } from '../../../apps/cloud/src/email/email-sender.ts';
import { createSmtpSender } from '../../../apps/cloud/src/email/smtp-sender.ts';
import { type MailServer, startMailServer } from '../../support/smtp.ts';

describe('an email server', () => {
  let server: MailServer;
  let mailer: EmailSender;
  before(async () => {
    server = await startMailServer();
    mailer = createSmtpSender({ url: server.url, from: 'Gateway <gateway@example.com>' });
  });
  after(async () => {
    mailer.close();
    await server.close();
  });

  const mail = {
    id: 'mail_1',
    to: 'ada@example.com',
    subject: 'Grüße',
    text: 'Höflich.\n\n.\nA dot alone.\n',
  };

  test('receives the whole email, marked as automatic, with the same id at every attempt', async () => {
    server.fate = 'take';
    await mailer.send(mail);
    await mailer.send(mail);
    const [first, second] = server.received;
    assert.equal(first?.from, 'gateway@example.com');
    assert.deepEqual(first?.to, ['ada@example.com']);
    assert.equal(first?.text.replaceAll('\r\n', '\n').trimEnd(), mail.text.trimEnd());
    assert.equal(first?.headers['message-id'], '<mail_1@example.com>');
    assert.equal(second?.headers['message-id'], first?.headers['message-id']);
    assert.equal(first?.headers['auto-submitted'], 'auto-generated');
    assert.match(first?.headers['content-type'] ?? '', /^text\/plain; charset=utf-8/);
  });

  test('gets no further header or recipient from a subject or an address', async () => {
    server.fate = 'take';
    const before = server.received.length;
    await mailer.send({ ...mail, subject: 'Hello\r\nBcc: mallory@example.com' });
    const odd = server.received[before];
    assert.deepEqual(odd?.to, ['ada@example.com']);
    assert.equal(odd?.headers['bcc'], undefined);
    await mailer.send({ ...mail, to: 'ada@example.com, mallory@example.com' }).catch(() => {});
    for (const { to } of server.received.slice(before + 1))
      assert.equal(to.length, 1, `one recipient: ${to}`);
    assert.ok(!server.received.some(({ to }) => to.includes('mallory@example.com')));
  });

  test('that rejects permanently is distinguished from one that may accept later', async () => {
    server.fate = 'refuse';
    await assert.rejects(mailer.send(mail), (error) => {
      assert.ok(error instanceof EmailRejectedError);
      assert.match(error.message, /No such mailbox/);
      return true;
    });
    server.fate = 'later';
    await assert.rejects(mailer.send(mail), (error) => !(error instanceof EmailRejectedError));
  });

  test('that cannot be reached counts as one that may accept later', async () => {
    const unreachable = createSmtpSender({ url: 'smtp://127.0.0.1:9', from: 'gateway@example.com' });
    await assert.rejects(unreachable.send(mail), (error) => !(error instanceof EmailRejectedError));
    unreachable.close();
  });
});
