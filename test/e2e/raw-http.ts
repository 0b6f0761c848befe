import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** By lowercase name; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawExchange {
  readonly answers: readonly RawAnswer[];
  /** Whether the service closed the connection before the wait ended. */
  readonly closed: boolean;
  readonly text: string;
}

/** Writes bytes unchanged and reads until the service closes, `answers` are complete, or `waitMs` have passed. */
export function exchange(
  address: string,
  bytes: string | Buffer | readonly (string | Buffer)[],
  options: { readonly answers?: number; readonly waitMs?: number; readonly end?: boolean } = {},
): Promise<RawExchange> {
  const due = options.answers ?? 1;
  return new Promise((resolve) => {
    const socket = open(address);
    const chunks: Buffer[] = [];
    const finish = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      resolve({ answers: readAnswers(text), closed, text });
    };
    const timer = setTimeout(() => finish(false), options.waitMs ?? 30_000);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (readAnswers(Buffer.concat(chunks).toString('latin1')).length >= due) finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('close', () => finish(true));
    socket.on('error', () => {});
    for (const piece of [bytes].flat()) socket.write(piece as string);
    if (options.end === true) socket.end();
  });
}

export function open(address: string): Socket {
  const { hostname, port } = new URL(address);
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true });
}

/** Complete responses only; understands Content-Length and chunked bodies. */
function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let at = 0;
  while (true) {
    const head = text.indexOf('\r\n\r\n', at);
    if (head === -1) return answers;
    const [line = '', ...fields] = text.slice(at, head).split('\r\n');
    const headers: Record<string, string> = {};
    for (const field of fields) {
      const colon = field.indexOf(':');
      const name = field.slice(0, colon).toLowerCase();
      const value = field.slice(colon + 1).trim();
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
    const status = Number(line.split(' ')[1]);
    at = head + 4;
    if (status === 100) continue;
    let body = '';
    if (headers['transfer-encoding'] === 'chunked') {
      while (true) {
        const end = text.indexOf('\r\n', at);
        if (end === -1) return answers;
        const size = Number.parseInt(text.slice(at, end), 16);
        if (text.length < end + 4 + size) return answers;
        body += text.slice(end + 2, end + 2 + size);
        at = end + 4 + size;
        if (size === 0) break;
      }
    } else {
      const length = Number(headers['content-length'] ?? 0);
      if (text.length < at + length) return answers;
      body = text.slice(at, at + length);
      at += length;
    }
    answers.push({ status, headers, body });
  }
}
