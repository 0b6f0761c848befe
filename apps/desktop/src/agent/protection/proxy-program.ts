import { fileURLToPath } from 'node:url';
import type { DecisionEvent } from '../../inspect/decision-event.ts';
import type { Journal } from '../../journal/open-journal.ts';
import type { FromProxy, LeafCertificate, ProxyConfig, ToProxy } from '../../proxy/messages.ts';
import type { ProxyCallbacks, ProxyHandle } from '../../supervisor/run-supervisor.ts';
import { spawnProxy } from '../../supervisor/spawn-proxy.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { lastPort } from '../settings/state-files.ts';

export interface ProxyProgramDeps {
  readonly parts: Pick<AgentParts, 'settings' | 'env' | 'files'>;
  readonly leafFor: (host: string) => Promise<LeafCertificate | null>;
  readonly onEvent: (event: DecisionEvent) => void;
  readonly journal: AnswerJournal;
  /** Frees the proxy's port. */
  readonly beforeStart: () => void;
}

export type ProxyRules = Omit<ProxyConfig, 'port' | 'pac'>;

/** The proxy as a separate process: its configuration and its messages. */
export interface ProxyProgram {
  /** Takes effect at the next start, or in a running process with `apply`. */
  configure(rules: ProxyRules): void;
  apply(): void;
  rules(): ProxyRules | null;
  servePac(pac: string): void;
  /** Resolves when the process responds over its channel; never if it does not. */
  ping(): Promise<void>;
  /** Throws if there is no configuration yet. */
  start(callbacks: ProxyCallbacks): ProxyHandle;
}

type Proxy = ProxyHandle & { send(message: ToProxy): void };

const GRACE_MS = 1_000;

export function createProxyProgram({
  parts,
  leafFor,
  onEvent,
  journal,
  beforeStart,
}: ProxyProgramDeps): ProxyProgram {
  const { settings, env, files } = parts;
  let rules: ProxyRules | null = null;
  let pac: string | null = null;
  let proxy: Proxy | null = null;
  /** The previous port, if none is configured: apps that know it find the proxy there again. */
  let port = settings.proxyPort || lastPort(files);
  let proxyError: string | null = null;
  let pings = 0;
  let pinged = (): void => {};

  const first = (): Extract<ToProxy, { type: 'configure' }> => {
    if (rules === null) throw new Error('No configuration has been received yet.');
    return { type: 'configure', config: { ...rules, port, pac } };
  };

  function onMessage(message: FromProxy, send: (message: ToProxy) => void): void {
    if (message.type === 'event') onEvent(message.event);
    if (message.type === 'answered') keepAnswers(journal, message.digests);
    if (message.type === 'health' && message.id === pings) pinged();
    if (message.type === 'need-leaf') {
      const { host } = message;
      leafFor(host).then(
        (leaf) => send({ type: 'leaf', host, leaf }),
        () => send({ type: 'leaf', host, leaf: null }),
      );
    }
    if (message.type !== 'fault') return;
    const isTaken = message.code === 'port_taken';
    proxyError = isTaken
      ? `Port ${port} is already in use. Set another port in AGENT_PROXY_PORT, or 0 for any.`
      : message.message;
    // A port that was not configured may change.
    if (isTaken) port = settings.proxyPort;
  }

  return {
    configure(next) {
      rules = next;
    },
    apply: () => proxy?.send(first()),
    rules: () => rules,
    servePac(next) {
      pac = next;
      if (rules !== null) proxy?.send(first());
    },
    ping: () =>
      new Promise((resolve) => {
        pinged = resolve;
        proxy?.send({ type: 'ping', id: ++pings });
      }),
    start(callbacks) {
      proxyError = null;
      beforeStart();
      proxy = spawnProxy<ToProxy, FromProxy>(
        {
          nodePath: process.execPath,
          scriptPath: fileURLToPath(new URL('../../proxy/proxy-process.ts', import.meta.url)),
          env: childEnvironment(env, files.compileCache),
          first: first(),
          shutdown: { type: 'shutdown', graceMs: GRACE_MS },
          graceMs: 3 * GRACE_MS,
          onMessage,
        },
        {
          ready(at) {
            if (at !== port) savePort(files, at);
            port = at;
            callbacks.ready(at);
          },
          exited: (reason) => callbacks.exited(proxyError ?? reason),
        },
      );
      proxy.send({ type: 'answered', answers: readAnswers(journal) });
      return proxy;
    },
  };
}

/** Without them a later proxy knows no block that the provider signed before it started. */
export type AnswerJournal = Pick<Journal, 'answers' | 'keepAnswers'>;

/** A journal that cannot be read is no reason for a machine without network. */
function readAnswers(journal: AnswerJournal): ReturnType<AnswerJournal['answers']> {
  try {
    return journal.answers();
  } catch {
    return [];
  }
}

function keepAnswers(journal: AnswerJournal, digests: readonly string[]): void {
  try {
    journal.keepAnswers(digests, Date.now());
  } catch {
    // On a full disk this process alone knows them.
  }
}

function savePort(files: AgentParts['files'], port: number): void {
  try {
    files.write(files.proxyPort, String(port));
  } catch {
    // On a full disk the port is not stored, and the next start takes any port.
  }
}

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that Node and the system need to start a process; no settings or secrets of ours. */
const INHERITED = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'SystemRoot',
  'WINDIR',
  'LOCALAPPDATA',
  'NODE_EXTRA_CA_CERTS',
];

/**
 * Returns the environment of our own processes, which also trust the computer's roots. `compileCache`: a folder that
 * halves the time of a restart, during which nothing is protected.
 */
export function childEnvironment(env: Env, compileCache: string): Record<string, string> {
  const inherited: Record<string, string> = {
    NODE_USE_SYSTEM_CA: '1',
    NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] ?? compileCache,
  };
  for (const name of INHERITED) {
    const value = env[name];
    if (value !== undefined) inherited[name] = value;
  }
  return inherited;
}
