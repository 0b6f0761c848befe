import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../journal/open-journal.ts';
import type { Vault } from '../vault/vault.ts';
import type { AgentStatus } from './control/control-messages.ts';
import { type ControlHandlers, type ControlServer, openControlServer } from './control/control-server.ts';
import { type ActiveAgent, createActiveAgent } from './create-active-agent.ts';
import {
  type CompanyProxySettings,
  type CompanyProxyWatch,
  watchCompanyProxy,
} from './host/company-proxy.ts';
import { type AgentParts, folderWriteError } from './host/open-agent.ts';
import { createDecisionLog } from './service/decision-log.ts';
import { serviceRequests } from './service/service-requests.ts';
import type { AgentTimes, SessionDeps } from './service/service-session.ts';
import { AgentError } from './settings/read-settings.ts';
import type { Enrollment } from './settings/state-files.ts';
import { heartbeatOf, inspectionScopeOf, runningStatus } from './status/running-status.ts';
import { protectionSentence } from './status/status-sentences.ts';
import { createUnreadHosts, unreadSentence } from './status/unread-hosts.ts';

const AGENT_TIMES: AgentTimes = {
  heartbeatMs: 60_000,
  retryMs: 5_000,
  refreshMs: 300_000,
  deadlineMs: 10_000,
  checkMs: 10_000,
};

export interface RunningAgent {
  status(): AgentStatus;
  /** Resolves when the agent has ended, by `stop` or at a user's request. */
  readonly ended: Promise<void>;
  /** Resolves after the computer's settings are restored and every process has ended. */
  stop(): Promise<void>;
}

/** Starts protection. Throws AgentError if it cannot work: not enrolled, disk full. */
export async function runAgent(
  parts: AgentParts,
  print: (line: string) => void,
  times: AgentTimes = AGENT_TIMES,
): Promise<RunningAgent> {
  const enrollment = requireEnrollment(parts);
  const startedMs = performance.now();
  const ended = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const journal = parts.openJournal();
  const log = createDecisionLog(journal);
  const unread = createUnreadHosts(Date.now);
  const sayState = createStateLine(print);
  let active: ActiveAgent | null = null;
  let ownProblem: string | null = null;
  let checking: NodeJS.Timeout | undefined;
  if (journal.setAside !== null) print(`The journal was damaged and has been moved to ${journal.setAside}.`);

  const control = await openControl(parts, journal, {
    ...handlersOf(() => active, parts.settings.extraHosts),
    status: () => status(),
    recent: log.recent,
    stop() {
      control.broadcast({ event: 'stopping' });
      // Sends the response before it stops.
      setImmediate(() => void stop());
      return null;
    },
  });

  function status(): AgentStatus {
    const protection = active?.protection.status() ?? null;
    const session = active?.session.status() ?? null;
    const problem = ownProblem ?? protection?.problem ?? log.problem() ?? session?.problem ?? null;
    return runningStatus(parts, {
      protection,
      session,
      eventsWaiting: journal.waiting(),
      eventsDropped: journal.dropped(),
      unread: unread.list().map(unreadSentence),
      problem: session?.isRevoked === true ? REVOKED : problem,
      uptimeMs: performance.now() - startedMs,
    });
  }

  function changed(): void {
    if (stopping.signal.aborted) return;
    const now = status();
    control.broadcast({ event: 'status', status: now });
    sayState(now);
  }

  async function begin(): Promise<void> {
    // Restores what an earlier run could not.
    if (parts.settings.changesSystemProxy) await parts.network.releaseUnlessClosed();
    const apiKey = await waitForCredential(parts.vault, times.retryMs, stopping.signal, (problem) => {
      ownProblem = problem;
      if (problem !== null) changed();
    });
    if (apiKey === null) return;
    const company = await parts.companyProxy();
    const watch = watchCompanyProxy(parts.companyProxy, company, networksOf);
    await activate(apiKey, company);
    if (stopping.signal.aborted) return;
    checking = setInterval(() => void check(watch, apiKey), times.checkMs);
    changed();
  }

  async function activate(apiKey: string, company: CompanyProxySettings): Promise<void> {
    const now = { ...parts, settings: { ...parts.settings, ...company } };
    const proxy = await parts.serviceProxy(enrollment.server);
    if (stopping.signal.aborted) return;
    const heartbeat: SessionDeps['heartbeat'] = () => heartbeatOf(status(), parts.settings.platform);
    const connection = { enrollment, apiKey, proxy, journal, times, heartbeat };
    active = createActiveAgent(now, connection, { log, unread, control, changed });
    await active.session.begin();
  }

  /** On another network the proxy and the session restart with its company proxy. */
  const check = oneAtATime(async (watch: CompanyProxyWatch, apiKey: string) => {
    const company = await watch.changed();
    if (company === null || active === null) return active?.protection.check();
    await active.protection.stop();
    await active.session.close();
    if (!stopping.signal.aborted) await activate(apiKey, company);
  });

  const stop = once(async () => {
    stopping.abort();
    clearInterval(checking);
    await active?.protection.stop();
    await active?.session.close();
    parts.files.forget(parts.files.control);
    await control.close();
    journal.close();
    ended.resolve();
  });

  begin().catch((error: Error) => {
    ownProblem = `Nothing is protected because of an internal error of the agent: ${error.message}`;
    changed();
  });
  return { status, ended: ended.promise, stop };
}

/** Identifies the networks of this computer: another network may have another proxy. */
function networksOf(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return JSON.stringify(addresses.filter(({ internal }) => !internal).map(({ cidr }) => cidr));
}

/** Ignores a call while the previous one runs. Never rejects: the next call tries again. */
function oneAtATime<A extends unknown[]>(work: (...args: A) => Promise<void>): (...args: A) => Promise<void> {
  let isBusy = false;
  return async (...args) => {
    if (isBusy) return;
    isBusy = true;
    await work(...args).catch(() => {});
    isBusy = false;
  };
}

const REVOKED = 'The service has revoked this device. It is not protected until it is enrolled again.';

/** Handlers of the control channel that need only the active agent. */
function handlersOf(
  active: () => ActiveAgent | null,
  extraHosts: readonly string[],
): Omit<ControlHandlers, 'status' | 'recent' | 'stop'> {
  return {
    ...serviceRequests(() => active()?.session.client ?? null),
    sight: () => inspectionScopeOf(active()?.session.status() ?? null, extraHosts),
    'try-again'() {
      active()?.protection.tryAgain();
      return null;
    },
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

/** Opens the control connection for window and commands; its address is stored in a file. */
async function openControl(
  parts: AgentParts,
  journal: Journal,
  handlers: ControlHandlers,
): Promise<ControlServer> {
  const control = await openControlServer(handlers);
  try {
    parts.files.write(parts.files.control, JSON.stringify(control.address));
    return control;
  } catch (error) {
    await control.close();
    journal.close();
    throw folderWriteError(parts.files, error);
  }
}

/** Waits while the keychain is locked. Resolves to null if the agent stops. */
async function waitForCredential(
  vault: Vault,
  retryMs: number,
  signal: AbortSignal,
  onProblem: (problem: string | null) => void,
): Promise<string | null> {
  while (!signal.aborted) {
    const read = await vault.read('device-credential');
    if (read.kind === 'ok') {
      onProblem(null);
      return read.secret;
    }
    onProblem(read.kind === 'missing' ? NO_CREDENTIAL : read.reason);
    await pause(retryMs, null, { signal }).catch(() => {});
  }
  return null;
}

const NO_CREDENTIAL =
  'The credential of this device is not in the keychain. Unenroll this computer and enroll it again.';

/** Prints one line for each change of state. */
function createStateLine(print: (line: string) => void): (status: AgentStatus) => void {
  let last: string | null = null;
  return (status) => {
    const line = status.problem ?? protectionSentence(status);
    if (line !== null && line !== last) print(line);
    last = line;
  };
}

function requireEnrollment(parts: AgentParts): Enrollment {
  const known = parts.files.enrollment();
  if (known.kind === 'ok') return known.enrollment;
  throw new AgentError(
    known.kind === 'damaged'
      ? known.reason
      : 'This computer is not enrolled. Run "agent enroll --server URL --token-stdin" first.',
  );
}
