/**
 * The leanest stand-in provider there can be, as a process of its own: the same answer to every request, made once.
 * What the body asks for decides: `"stream":true` 50 chunks, each a packet of its own; `"user":"wait-20"` 20 ms
 * before the answer; `"user":"hold"` the first chunk of a stream and nothing more.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANSWER, CHUNKS } from './answers.ts';

const STREAM = Buffer.from('"stream":true');
const HOLD = Buffer.from('"user":"hold"');
const WAIT = Buffer.from('"user":"wait-20"');
const WAIT_MS = 20;

const jsonHeaders = { 'content-type': 'application/json', 'content-length': String(ANSWER.length) };
const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8' };

const server = createServer({ keepAliveTimeout: 600_000 }, (req, res) => {
  const pieces: Buffer[] = [];
  req.on('data', (piece: Buffer) => pieces.push(piece));
  req.on('end', () => {
    const body = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    if (body.includes(WAIT)) setTimeout(answer, WAIT_MS, res, body);
    else answer(res, body);
  });
});

function answer(res: ServerResponse, body: Buffer): void {
  if (!body.includes(STREAM)) {
    res.writeHead(200, jsonHeaders).end(ANSWER);
    return;
  }
  res.writeHead(200, streamHeaders);
  if (body.includes(HOLD)) res.write(CHUNKS[0]);
  else writeFrom(res, 0);
}

function writeFrom(res: ServerResponse, index: number): void {
  if (index === CHUNKS.length) res.end();
  else if (!res.destroyed) {
    res.write(CHUNKS[index]);
    setImmediate(writeFrom, res, index + 1);
  }
}

server.on('clientError', (_error, socket) => socket.destroy());
server.listen(0, '127.0.0.1', 8_192, () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
