import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { HttpVersion } from '../upstream/upstream-pool.ts';

/** With one direction ended, the other may be silent for so long. */
const HALF_OPEN_MS = 60_000;

/** Bytes both ways until either end is done; neither is looked at. */
export function joinSockets(client: Socket, upstream: Socket): void {
  const cut = (): void => {
    client.destroy();
    upstream.destroy();
  };
  client.on('error', cut);
  upstream.on('error', cut);
  // One side that ended may still be read from; one that is gone may not.
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
  client.once('end', () => upstream.setTimeout(HALF_OPEN_MS, cut));
  upstream.once('end', () => client.setTimeout(HALF_OPEN_MS, cut));
  client.pipe(upstream);
  upstream.pipe(client);
}

/**
 * True where the client starts to speak TLS. Its bytes stay where they are. False after `waitMs` of silence: in some
 * protocols the server speaks first. Rejects where the client leaves instead.
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
  /** What the provider speaks: the client gets no other version than it would get there. */
  readonly version: HttpVersion;
  readonly timeoutMs: number;
}

/** Answers the client's handshake with our certificate. Rejects with the error the client caused. */
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
      // One that the client leaves in the middle would stay open underneath.
      tls.once('close', () => socket.destroy());
      resolve(tls);
    };
    const onClose = (): void => fail(new Error('the client left'));
    tls.once('secure', onSecure).once('error', fail).once('close', onClose);
  });
}
