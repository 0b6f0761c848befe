import { once } from 'node:events';
import { request } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';

export interface Target {
  readonly proxyPort: number;
  readonly ca: string;
  readonly host: string;
  readonly port?: number;
}

/** Sends CONNECT, as every client does. Rejects with the status if it is not 200. */
export async function openTunnel(proxyPort: number, authority: string): Promise<Socket> {
  const connect = request({
    host: '127.0.0.1',
    port: proxyPort,
    method: 'CONNECT',
    path: authority,
    agent: false,
  });
  connect.end();
  const [response, socket] = (await once(connect, 'connect')) as [{ statusCode: number }, Socket];
  if (response.statusCode !== 200) throw new Error(`CONNECT ${response.statusCode}`);
  return socket;
}

export async function openTls(target: Target, protocols = ['http/1.1']): Promise<TLSSocket> {
  const socket = await openTunnel(target.proxyPort, `${target.host}:${target.port ?? 443}`);
  const tls = connectTls({ socket, servername: target.host, ca: target.ca, ALPNProtocols: protocols });
  await once(tls, 'secureConnect');
  return tls;
}

export async function openHttp2(target: Target): Promise<ClientHttp2Session> {
  const tls = await openTls(target, ['h2']);
  const session = connectHttp2(`https://${target.host}`, { createConnection: () => tls });
  session.on('error', () => {});
  return session;
}

/** Writes bytes and reads until the other side ends or `until` has arrived. */
export async function exchangeRaw(
  socket: Socket,
  text: string,
  until: string | null = null,
): Promise<string> {
  let got = '';
  socket.write(text);
  for await (const chunk of socket) {
    got += String(chunk);
    if (until !== null && got.includes(until)) break;
  }
  return got;
}

export async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
