import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { HttpVersion } from '../upstream/upstream-pool.ts';

/** Idle timeout of one direction after the other has ended. */
const HALF_OPEN_MS = 60_000;

/** Relays bytes in both directions, unread, until either side is closed. */
export function joinSockets(client: Socket, upstream: Socket): void {
  const cut = (): void => {
    client.destroy();
    upstream.destroy();
  };
  client.on('error', cut);
  upstream.on('error', cut);
  // A side that ended can still be read from; a closed one cannot.
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
  client.once('end', () => upstream.setTimeout(HALF_OPEN_MS, cut));
  upstream.once('end', () => client.setTimeout(HALF_OPEN_MS, cut));
  client.pipe(upstream);
  upstream.pipe(client);
}

/**
 * Resolves to true if the client starts a TLS handshake. Its bytes are not consumed. False after `waitMs` of silence:
 * in some protocols the server speaks first. Rejects if the client leaves instead.
 */
export function speaksTls(socket: Duplex, waitMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      done();
      resolve(false);
    }, waitMs);
    const onReadable = (): void => {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) return;
      done();
      socket.unshift(chunk);
      resolve(chunk[0] === 0x16);
    };
    const onGone = (): void => {
      done();
      reject(new Error('the client left'));
    };
    const done = (): void => {
      clearTimeout(timer);
      socket.off('readable', onReadable).off('end', onGone).off('close', onGone).off('error', onGone);
    };
    socket.on('readable', onReadable).on('end', onGone).on('close', onGone).on('error', onGone);
  });
}

export interface ClientTlsOptions {
  readonly secureContext: SecureContext;
  /** The provider's version: the client gets the same as without the proxy. */
  readonly version: HttpVersion;
  readonly timeoutMs: number;
}

/** Completes the client's handshake with our certificate. Rejects with an error caused by the client. */
export function secureClient(socket: Socket, options: ClientTlsOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const tls = new TLSSocket(socket, {
      isServer: true,
      secureContext: options.secureContext,
      ALPNCallback({ protocols }) {
        if (options.version === 'h2' && protocols.includes('h2')) return 'h2';
        return protocols.includes('http/1.1') ? 'http/1.1' : undefined;
      },
    });
    const timer = setTimeout(() => fail(new Error('the handshake took too long')), options.timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      tls.off('secure', onSecure);
      tls.on('error', () => {});
      tls.destroy();
      reject(error);
    };
    const onSecure = (): void => {
      clearTimeout(timer);
      tls.off('error', fail).off('close', onClose);
      // Node's own TLS server sets it here; its HTTP/2 server waits for it.
      (tls as { secureConnecting?: boolean }).secureConnecting = false;
      // If the client aborts the TLS connection, the underlying socket would stay open.
      tls.once('close', () => socket.destroy());
      resolve(tls);
    };
    const onClose = (): void => fail(new Error('the client left'));
    tls.once('secure', onSecure).once('error', fail).once('close', onClose);
  });
}
