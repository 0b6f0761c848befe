/**
 * A proxy as companies have them: CONNECT and absolute form, with or without a password. Forwards every host to the
 * port that the test chooses.
 */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface CompanyProxy {
  readonly url: string;
  readonly port: number;
  /** The request lines it received: `CONNECT api.openai.com:443`. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface CompanyProxyOptions {
  /** The loopback port for `authority`; null rejects it. */
  readonly leadTo: (authority: string) => number | null;
  /** `user:password` */
  readonly credentials?: string;
}

export async function startCompanyProxy(options: CompanyProxyOptions): Promise<CompanyProxy> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const wanted =
    options.credentials === undefined
      ? undefined
      : `Basic ${Buffer.from(options.credentials).toString('base64')}`;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="company"' }).end();
      return;
    }
    const url = URL.parse(request.url ?? '');
    if (url === null) {
      response.writeHead(400).end();
      return;
    }
    const port = options.leadTo(url.host);
    if (port === null) {
      response.writeHead(403).end();
      return;
    }
    const path = `${url.pathname}${url.search}`;
    const onward = send({ host: '127.0.0.1', port, path, method: request.method, headers: request.headers });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request, socket: Socket, head: Buffer) => {
    requests.push(`CONNECT ${request.url}`);
    socket.on('error', () => socket.destroy());
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const port = options.leadTo(request.url ?? '');
    if (port === null) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.credentials === undefined ? '' : `${options.credentials}@`}127.0.0.1:${port}`,
    port,
    asked: requests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
