import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getExtensionData, readTlsClientHello } from 'read-tls-client-hello';
import { endWith } from '../exchange/relay-websocket.ts';
import { chooseRoute } from '../inspect/choose-route.ts';
import type { CompiledPolicy } from '../inspect/compile-policy.ts';
import { decideUnopened, type UnopenedAction, type UnopenedFacts } from '../inspect/decide-unopened.ts';
import type { DecisionEvent } from '../inspect/decision-event.ts';
import { normalHost } from '../inspect/match-hosts.ts';
import { type DialError, type Dialer, isLoopback } from '../upstream/dial.ts';
import type { ConnectionTarget } from '../upstream/open-request.ts';
import type { HttpVersion, UpstreamPool } from '../upstream/upstream-pool.ts';
import type { FindProcess } from './find-process.ts';
import type { LeafContexts } from './leaf-contexts.ts';
import { joinSockets, secureClient, speaksTls } from './open-tunnel.ts';
import { createPinningTracker, isCertificateRejection } from './pinning-tracker.ts';

/** As long as other servers wait: on a busy computer, or one that wakes up, clients begin late. */
const CLIENT_HANDSHAKE_MS = 120_000;
/** A client that is silent for this long is considered to wait for the server. */
const SILENCE_MS = 1_000;

export interface ConnectDeps {
  readonly policy: () => CompiledPolicy;
  readonly probeHost: () => string;
  readonly ownPort: () => number;
  readonly dialer: Dialer;
  readonly pool: Pick<UpstreamPool, 'versionOf'>;
  readonly leaves: LeafContexts;
  /** Takes over an opened connection: its requests arrive decrypted. */
  readonly accept: (target: ConnectionTarget, socket: Duplex, version: HttpVersion) => void;
  readonly findProcess: FindProcess;
  readonly record: (event: DecisionEvent) => void;
  readonly now: () => number;
  readonly newEventId: () => string;
}

/** Handles a CONNECT to `authority`: a blind tunnel, an opened connection, or a refusal. */
export type ConnectClient = (authority: string, socket: Socket) => Promise<void>;

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Parses the `host:port` of a CONNECT; null if invalid. */
function parseAuthority(authority: string): Address | null {
  const url = URL.parse(`connect://${authority}`);
  const port = Number(url?.port);
  return url === null || url.hostname === '' || !(port > 0) ? null : { host: normalHost(url.hostname), port };
}

export function createConnectClient(deps: ConnectDeps): ConnectClient {
  const pinning = createPinningTracker();

  async function connectTo(authority: string, socket: Socket): Promise<void> {
    const address = parseAuthority(authority);
    if (address === null) return endWith(socket, 400, 'Bad Request');
    if (address.port === deps.ownPort() && isLoopback(address.host))
      return endWith(socket, 508, 'Loop Detected');
    return connectToAddress(address, socket);
  }

  async function connectToAddress({ host, port }: Address, socket: Socket): Promise<void> {
    const isWatched = pinning.isWatched(host, deps.now());
    const process = isWatched ? await deps.findProcess(socket.remotePort ?? 0, deps.ownPort()) : null;
    if (host === deps.probeHost()) return open({ host, port, isTls: true }, socket, process);
    const route = chooseRoute(deps.policy(), host, isWatched && isPinnedBy(host, process));
    if (route.kind === 'open') return open({ host, port, isTls: true }, socket, process);
    if (route.because === 'pinned') deps.record(unopened(deps, host, 'pinned', process).event);
    // Some apps resolve names themselves. Only what they send unencrypted to the address is read.
    if (route.because === 'not_ai' && port === 443 && isIP(host) !== 0)
      return openByName(host, port, socket, process);
    return tunnelTo(deps.dialer, { host, port }, socket, false);
  }

  /** A program that cannot be identified is tunneled only in monitor mode. */
  function isPinnedBy(host: string, process: string | null): boolean {
    const mayTunnel = process !== null || deps.policy().policy.mode === 'monitor';
    return mayTunnel && pinning.isPinned(host, process, deps.now());
  }

  async function openByName(
    address: string,
    port: number,
    socket: Socket,
    process: string | null,
  ): Promise<void> {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    const isTls = await speaksTls(socket, SILENCE_MS);
    const hello = isTls ? await readTlsClientHello(socket).catch(() => null) : null;
    const sni = hello === null ? null : getExtensionData(hello, 'server_name');
    const name = normalHost(sni?.serverName ?? '');
    const isOurs = name !== '' && chooseRoute(deps.policy(), name, false).kind === 'open';
    if (isOurs) return open({ host: name, port, isTls: true }, socket, process, true);
    return tunnelTo(deps.dialer, { host: address, port }, socket, true);
  }

  async function open(
    target: ConnectionTarget,
    socket: Socket,
    process: string | null,
    isEstablished = false,
  ): Promise<void> {
    const { host, port } = target;
    const leaf = await deps.leaves.contextFor(host);
    if (leaf.kind !== 'ready') return leaveClosed(target, socket, leaf.kind, isEstablished);
    const version = host === deps.probeHost() ? 'http/1.1' : await deps.pool.versionOf(host, port);
    if (!isEstablished) socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (!(await speaksTls(socket, CLIENT_HANDSHAKE_MS))) {
      deps.accept({ host, port, isTls: false }, socket, 'http/1.1');
      return;
    }
    try {
      const tls = await secureClient(socket, {
        secureContext: leaf.context,
        version,
        timeoutMs: CLIENT_HANDSHAKE_MS,
      });
      pinning.accepted(host, process);
      deps.accept(target, tls, tls.alpnProtocol === 'h2' ? 'h2' : 'http/1.1');
    } catch (error) {
      socket.destroy();
      if (isCertificateRejection(error as NodeJS.ErrnoException)) onCertificateRejected(host, process);
    }
  }

  /** An app that is not tunneled can no longer connect to the host: this is reported. */
  function onCertificateRejected(host: string, process: string | null): void {
    if (host === deps.probeHost() || pinning.rejected(host, process, deps.now()) === null) return;
    const { failClosed, mode } = deps.policy().policy;
    if (failClosed || (process === null && mode === 'enforce')) {
      deps.record(unopened(deps, host, 'closed', process).event);
    }
  }

  async function leaveClosed(
    { host, port }: ConnectionTarget,
    socket: Socket,
    why: 'late' | 'refused',
    isEstablished: boolean,
  ): Promise<void> {
    const isProbe = host === deps.probeHost();
    const action = unopened(deps, host, why, null);
    if (!isProbe) deps.record(action.event);
    if (!isProbe && action.kind === 'tunnel')
      return tunnelTo(deps.dialer, { host, port }, socket, isEstablished);
    // In an established tunnel the client expects TLS, not a response of ours.
    if (isEstablished) socket.destroy();
    else endWith(socket, 503, 'No Certificate');
  }

  return connectTo;
}

async function tunnelTo(
  dialer: Dialer,
  { host, port }: Address,
  socket: Socket,
  isEstablished: boolean,
): Promise<void> {
  try {
    const upstream = await dialer.dial(host, port);
    if (!isEstablished) socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (socket.destroyed) upstream.destroy();
    else joinSockets(socket, upstream);
  } catch (error) {
    if (isEstablished) socket.destroy();
    else if ((error as DialError).code === 'LOOP') endWith(socket, 508, 'Loop Detected');
    else endWith(socket, 502, 'Bad Gateway');
  }
}

function unopened(
  { policy, now, newEventId }: ConnectDeps,
  host: string,
  why: UnopenedFacts['why'],
  process: string | null,
): UnopenedAction {
  return decideUnopened(policy(), { host, why, process, nowMs: now(), newEventId: newEventId() });
}
