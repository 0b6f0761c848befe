import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The message as received: headers, an empty line, the body. */
  readonly raw: string;
  /** Headers by name in lower case; folded lines are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text, decoded. */
  readonly text: string;
}

export interface MailServer {
  readonly url: string;
  readonly received: ReceivedMail[];
  /** How the next emails fare: accepted, rejected permanently (550) or temporarily (451), or without a response. */
  fate: 'take' | 'refuse' | 'later' | 'hang';
  /** The number of recipients it received. */
  asked: number;
  /** Ends every connection. */
  drop(): void;
  /** Resolves when this many emails have arrived. */
  waitFor(count: number): Promise<void>;
  /** The first email to that address, past or future. */
  mailTo(address: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/**
 * A mail server on loopback that speaks SMTP as real ones do. `refusesSignIn`: it requires a password, and accepts
 * none.
 */
export async function startMailServer({ refusesSignIn = false } = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = new SMTPServer({
    authOptional: !refusesSignIn,
    allowInsecureAuth: true,
    disabledCommands: refusesSignIn ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    logger: false,
    onAuth(_auth, _session, callback) {
      callback(fault(535, 'Authentication credentials invalid'));
    },
    onRcptTo(_address, _session, callback) {
      mailServer.asked += 1;
      if (mailServer.fate === 'refuse') return callback(fault(550, 'No such mailbox here'));
      if (mailServer.fate === 'later') return callback(fault(451, 'Greylisted, try again later'));
      if (mailServer.fate === 'hang') return;
      callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...parse(Buffer.concat(chunks).toString('utf8')),
        });
        callback();
        for (const one of waiting) if (received.length >= one.count) one.resolve();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    fate: 'take',
    asked: 0,
    drop() {
      for (const connection of server.connections) (connection._socket as Socket).destroy();
    },
    waitFor: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    async mailTo(address) {
      for (let count = 1; ; count++) {
        await mailServer.waitFor(count);
        const mail = received[count - 1]!;
        if (mail.to.includes(address)) return mail;
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailServer;
}

function fault(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function parse(raw: string): Pick<ReceivedMail, 'raw' | 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n');
  const headers: Record<string, string> = {};
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const body = raw.slice(end + 4);
  const encoding = headers['content-transfer-encoding'];
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? Buffer.from(
            body
              .replace(/=\r\n/g, '')
              .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          )
        : Buffer.from(body);
  return { raw, headers, text: bytes.toString('utf8') };
}
