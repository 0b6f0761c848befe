import { get, request } from 'node:http';
import { connect as connectTls } from 'node:tls';

export interface ProbeOptions {
  readonly port: number;
  readonly probeHost: string;
  /** The device's root, the only one that is trusted here. */
  readonly rootPem: string;
  /** The expected response of our own proxy. */
  readonly token: string;
  readonly timeoutMs: number;
}

/**
 * Makes the same requests to the proxy as an app: a tunnel, a handshake with our certificate, a request. Resolves to
 * null on success, otherwise to a sentence. Never rejects, never takes longer than `timeoutMs`.
 */
export function probeProxy(options: ProbeOptions): Promise<string | null> {
  return new Promise((resolve) => {
    let isDone = false;
    const finish = (problem: string | null): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      tunnel.destroy();
      resolve(problem);
    };
    const timer = setTimeout(
      () => finish(`The proxy did not respond within ${options.timeoutMs} ms.`),
      options.timeoutMs,
    );
    const authority = `${options.probeHost}:443`;
    const tunnel = request({
      host: '127.0.0.1',
      port: options.port,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority },
      agent: false,
    });
    tunnel.once('error', (error: NodeJS.ErrnoException) =>
      finish(`The proxy cannot be reached (${error.code ?? error.message}).`),
    );
    tunnel.once('connect', (response, socket) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        finish(`The proxy has no certificate to respond with (${response.statusCode}).`);
        return;
      }
      const tls = connectTls({
        socket,
        servername: options.probeHost,
        ca: options.rootPem,
        ALPNProtocols: ['http/1.1'],
      });
      tls.once('error', (error: NodeJS.ErrnoException) => {
        socket.destroy();
        finish(`The proxy's certificate is not trusted (${error.code ?? error.message}).`);
      });
      const probe = request({
        host: options.probeHost,
        path: '/',
        headers: { connection: 'close' },
        createConnection: () => tls,
      });
      probe.once('error', (error: NodeJS.ErrnoException) =>
        finish(`The proxy closed the connection (${error.code ?? error.message}).`),
      );
      probe.once('response', (incoming) => {
        let text = '';
        incoming.on('data', (chunk) => {
          text += String(chunk);
        });
        incoming.once('end', () => {
          tls.destroy();
          finish(text === options.token ? null : 'Another program responds at the port of the proxy.');
        });
        incoming.once('error', () => finish('The proxy closed the connection.'));
      });
      probe.end();
    });
    tunnel.end();
  });
}

/** Text for browsers that open the port itself; distinguishes our proxy from other programs. */
export const PROXY_PAGE = 'This is the proxy of Content Security Agent. It has no pages.';

/** Resolves to whether our proxy seems to listen on this port. Never rejects. */
export function isProxyListening(port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = get(
      { host: '127.0.0.1', port, path: '/', agent: false, timeout: timeoutMs },
      (incoming) => {
        let text = '';
        incoming.on('data', (chunk) => {
          text += String(chunk);
        });
        incoming.once('end', () => resolve(text.includes(PROXY_PAGE)));
        incoming.once('error', () => resolve(false));
      },
    );
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => resolve(false));
    probe.once('close', () => resolve(false));
  });
}
