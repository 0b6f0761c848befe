/** A DNS server on loopback that serves TXT records only. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface DnsServer {
  /** The value for `SSO_DNS_SERVERS`. */
  readonly address: string;
  readonly txt: Map<string, string>;
  close(): Promise<void>;
}

export async function startDnsServer(): Promise<DnsServer> {
  const txt = new Map<string, string>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => socket.send(answerTo(query, txt), from.port, from.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    txt,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** By RFC 1035: the question repeated, and the record or "no such name". */
function answerTo(query: Buffer, txt: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    const length = query[at]!;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const question = query.subarray(12, at + 5);
  const value = txt.get(labels.join('.'));
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(value === undefined ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(1, 4);
  if (value === undefined) return Buffer.concat([head, question]);
  head.writeUInt16BE(1, 6);
  const text = Buffer.from(value, 'latin1');
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(16, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(text.length + 1, 10);
  return Buffer.concat([head, question, record, Buffer.from([text.length]), text]);
}
