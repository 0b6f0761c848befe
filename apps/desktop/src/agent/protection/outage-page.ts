import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { normalHost } from '../../inspect/match-hosts.ts';
import type { LeafCertificate } from '../../proxy/messages.ts';
import { secureClient } from '../../proxy/open-tunnel.ts';
import { escapeXml } from '../settings/escape-xml.ts';

export interface StoppedProxy {
  readonly port: number;
  readonly reason: string | null;
}

/** Explains in the browser why an AI site is unavailable while the proxy is down and the policy fails closed. */
export interface OutagePage {
  /**
   * The returned function opens the page on the proxy's port, unless it was closed since. Also resolves if another
   * program uses the port: browsers then report that the proxy is unavailable.
   */
  prepare(): (proxy: StoppedProxy) => Promise<void>;
  /** Frees the port before it returns. */
  close(): void;
}

const HANDSHAKE_TIMEOUT_MS = 5_000;
const RETRY_AFTER_S = 30;

/** Only hosts that this computer's root covers have a certificate; all others are refused and never routed here. */
export function createOutagePage(leafFor: (host: string) => Promise<LeafCertificate | null>): OutagePage {
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let closings = 0;

  async function secure(authority: string, socket: Socket, pages: Server): Promise<void> {
    const host = normalHost(URL.parse(`connect://${authority}`)?.hostname ?? '');
    const leaf = await leafFor(host);
    if (leaf === null) return void socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    const tls = await secureClient(socket, {
      secureContext: createSecureContext({ cert: leaf.chain, key: leaf.key }),
      version: 'http/1.1',
      timeoutMs: HANDSHAKE_TIMEOUT_MS,
    });
    pages.emit('connection', tls);
  }

  function close(): void {
    closings++;
    server?.close();
    server?.closeAllConnections();
    for (const socket of sockets) socket.destroy();
    server = null;
  }

  async function open(port: number, reason: string): Promise<void> {
    const pages = createServer((request, response) => answer(request, response, reason));
    server = pages;
    pages.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    pages.on('connect', (request, socket: Socket, head) => {
      socket.on('error', () => socket.destroy());
      if (head.length > 0) socket.unshift(head);
      secure(request.url ?? '', socket, pages).catch(() => socket.destroy());
    });
    await new Promise<void>((resolve) => {
      pages.once('error', () => resolve()).once('close', resolve);
      pages.listen(port, '127.0.0.1', resolve);
    });
  }

  return {
    close,
    prepare() {
      close();
      const known = closings;
      return async ({ port, reason }) => {
        if (closings === known) await open(port, reason ?? 'The proxy ended.');
      };
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, reason: string): void {
  const isPage = /\btext\/html\b/.test(request.headers.accept ?? '');
  // The rest of the request body is not read.
  response.shouldKeepAlive = false;
  response.writeHead(503, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    'retry-after': String(RETRY_AFTER_S),
  });
  response.end(isPage ? pageOf(reason) : `${WHAT} ${reason} ${NEXT}\n`);
}

const TITLE = 'AI sites are blocked on this computer';
const WHAT =
  'Your organization allows AI sites only while Content Security Agent can inspect what is sent to them, and its proxy is not working.';
const NEXT =
  'The agent restarts the proxy automatically, after repeated failures every five minutes. To restart it now, select "Try again" in the window of the agent, or run "agent retry". If that does not help, show this page to your administrator. Other sites work.';

function pageOf(reason: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<style>
  body { font: 1rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 15vh auto 0; padding: 0 1.25rem; color: #1c1c1c; background: #fff }
  h1 { font-size: 1.4rem; line-height: 1.3 }
  code { overflow-wrap: anywhere }
  @media (prefers-color-scheme: dark) { body { color: #e8e8e8; background: #161616 } }
</style>
<main>
<h1>${TITLE}</h1>
<p>${WHAT}</p>
<p>Reason: <code>${escapeXml(reason)}</code></p>
<p>${escapeXml(NEXT)}</p>
</main>
</html>
`;
}
