import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** The required outcome of an attempt: delivered, or failed with a reason that matches. */
export type Ending = 'delivered' | RegExp;

export interface ReceiverFault {
  readonly name: string;
  /** Called once the whole request has arrived; `head`: as soon as a connection is made. */
  readonly act: (socket: Socket) => void;
  readonly on?: 'head';
  readonly ends: Ending;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const LATE = /did not respond within/;
const CLOSED = /closed the connection before it responded/;
const NOT_HTTP = /invalid HTTP response/;
const BROKEN = /closed the connection|invalid HTTP response|cannot be reached/;
/** Whether the receiver never responds: its attempt ends with the sender's patience. All others end on their own. */
export const neverResponds = ({ ends }: ReceiverFault): boolean => ends === LATE;
const REDIRECT = /Redirects are not followed/;

const say = (text: string | Buffer) => (socket: Socket) => void socket.write(text);
const sayAndEnd = (text: string | Buffer) => (socket: Socket) => void socket.end(text);

/** Repeats the same until the other side has gone. */
const keepSaying = (first: string, more: string | Buffer, everyMs: number) => (socket: Socket) => {
  socket.write(first);
  const timer = setInterval(() => socket.write(more), everyMs);
  socket.on('close', () => clearInterval(timer));
};
/** As fast as the other side reads. */
const pour = (first: string, more: Buffer) => (socket: Socket) => {
  socket.write(first);
  const go = (): void => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on('drain', go);
  go();
};

const status = (code: number, ends: Ending, extra = ''): ReceiverFault => ({
  name: `${code}${extra === '' ? '' : ` ${extra.trim()}`}`,
  act: sayAndEnd(`HTTP/1.1 ${code} X\r\n${extra}Content-Length: 0\r\n\r\n`),
  ends,
});

/** Receivers with every kind of fault that we thought of. */
export const RECEIVER_FAULTS: readonly ReceiverFault[] = [
  // Statuses.
  ...[200, 201, 202, 226, 299].map((code) => status(code, 'delivered')),
  status(204, 'delivered'),
  ...[400, 401, 403, 404, 405, 408, 409, 410, 413, 418, 422, 425, 429, 451, 500, 502, 503, 504, 599].map(
    (code) => status(code, new RegExp(`responded with ${code}`)),
  ),
  status(429, /responded with 429/, 'Retry-After: 99999999\r\n'),
  status(304, REDIRECT),
  // Redirects, also to forbidden targets.
  ...[
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:1/',
    'file:///etc/passwd',
    '//localhost/',
    '/',
    'https://example.com/\r\nX-Injected: 1',
  ].map((to) => status(302, REDIRECT, `Location: ${to}\r\n`)),
  ...[301, 303, 307, 308].map((code) => status(code, REDIRECT, 'Location: /elsewhere\r\n')),
  // Bodies: the status decides about delivery, whatever follows.
  {
    name: '204 with a body',
    act: sayAndEnd('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello'),
    ends: 'delivered',
  },
  {
    name: 'more body than declared',
    act: sayAndEnd(`${OK}Content-Length: 2\r\n\r\nmuch more than two`),
    ends: 'delivered',
  },
  {
    name: 'less body than declared',
    act: sayAndEnd(`${OK}Content-Length: 200\r\n\r\nshort`),
    ends: 'delivered',
  },
  { name: 'a body that never ends', act: keepSaying(`${OK}\r\n`, 'x', 20), ends: 'delivered' },
  { name: 'a body of any size', act: pour(`${OK}\r\n`, Buffer.alloc(1 << 16, 120)), ends: 'delivered' },
  { name: 'a body that stalls', act: say(`${OK}Content-Length: 10\r\n\r\nhalf`), ends: 'delivered' },
  {
    name: 'invalid chunks',
    act: sayAndEnd(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nnonsense\r\n`),
    ends: 'delivered',
  },
  {
    name: 'a truncated compressed body',
    act: sayAndEnd(
      Buffer.concat([
        Buffer.from(`${OK}Content-Encoding: gzip\r\n\r\n`),
        gzipSync(Buffer.alloc(1 << 16)).subarray(0, 20),
      ]),
    ),
    ends: 'delivered',
  },
  {
    name: 'a reset after the answer',
    act: (socket) => socket.write(`${OK}Content-Length: 10\r\n\r\nhalf`, () => socket.resetAndDestroy()),
    ends: 'delivered',
  },
  // Silence and slowness.
  { name: 'nothing at all', act: () => {}, ends: LATE },
  { name: 'nothing, not even read', act: (socket) => void socket.pause(), on: 'head', ends: LATE },
  { name: 'headers, one letter at a time', act: slowly(`${OK}X-Slow: ${'y'.repeat(4_000)}`), ends: LATE },
  { name: 'a status line without an end', act: say('HTTP/1.1 200'), ends: LATE },
  { name: 'headers without an end', act: say(`${OK}X-Half: yes\r\n`), ends: LATE },
  {
    name: 'a hundred 102 responses, then nothing',
    act: say('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)),
    ends: LATE,
  },
  { name: 'endless 1xx responses', act: keepSaying('', 'HTTP/1.1 102 Processing\r\n\r\n', 5), ends: LATE },
  { name: '100 without an Expect header', act: say('HTTP/1.1 100 Continue\r\n\r\n'), ends: BROKEN },
  {
    name: '103, then 200',
    act: sayAndEnd(`HTTP/1.1 103 Early Hints\r\n\r\n${OK}Content-Length: 0\r\n\r\n`),
    ends: 'delivered',
  },
  // Gone.
  { name: 'an immediate reset', act: (socket) => void socket.resetAndDestroy(), on: 'head', ends: BROKEN },
  { name: 'an immediate end', act: (socket) => void socket.end(), on: 'head', ends: BROKEN },
  { name: 'a reset after the request', act: (socket) => void socket.resetAndDestroy(), ends: BROKEN },
  { name: 'an end after the request', act: (socket) => void socket.end(), ends: CLOSED },
  { name: 'half a status line, then gone', act: sayAndEnd('HTTP/1.1 2'), ends: BROKEN },
  { name: 'half of the headers, then gone', act: sayAndEnd(`${OK}Content-Le`), ends: BROKEN },
  // What is not HTTP.
  { name: 'an SMTP banner', act: sayAndEnd('220 mail.example.com ESMTP\r\n'), ends: NOT_HTTP },
  { name: 'an SSH banner', act: sayAndEnd('SSH-2.0-OpenSSH_9.2\r\n'), ends: NOT_HTTP },
  { name: 'noise', act: sayAndEnd(Buffer.alloc(512, 0xfe)), ends: NOT_HTTP },
  { name: 'zeros', act: sayAndEnd(Buffer.alloc(512)), ends: NOT_HTTP },
  { name: 'HTTP/0.9', act: sayAndEnd('<html>ok</html>'), ends: NOT_HTTP },
  { name: 'HTTP/2', act: sayAndEnd(Buffer.from('000012040000000000', 'hex')), ends: NOT_HTTP },
  { name: 'TLS', act: sayAndEnd(Buffer.from('1503030002022e', 'hex')), ends: NOT_HTTP },
  { name: 'a status of two digits', act: sayAndEnd('HTTP/1.1 20 OK\r\n\r\n'), ends: NOT_HTTP },
  { name: 'a status of letters', act: sayAndEnd('HTTP/1.1 abc OK\r\n\r\n'), ends: NOT_HTTP },
  {
    name: 'two different lengths',
    act: sayAndEnd(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    ends: NOT_HTTP,
  },
  {
    name: 'a negative length',
    act: sayAndEnd(`${OK}Content-Length: -5\r\n\r\n`),
    ends: NOT_HTTP,
  },
  {
    name: 'headers of a megabyte',
    act: sayAndEnd(`${OK}X-Large: ${'y'.repeat(1 << 20)}\r\n\r\n`),
    ends: BROKEN,
  },
  {
    name: 'a hundred thousand headers',
    act: sayAndEnd(`${OK}${'X-Many: y\r\n'.repeat(100_000)}\r\n`),
    ends: BROKEN,
  },
  {
    name: '101 without an upgrade request',
    act: sayAndEnd('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ends: /endpoint/,
  },
];

function slowly(text: string): (socket: Socket) => void {
  return (socket) => {
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++] ?? 'y'), 10);
    socket.on('close', () => clearInterval(timer));
  };
}
