import { userInfo } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { TrustedRoot, TrustStore } from '../../trust/trust-store.ts';
import { SECRET_NAMES } from '../../vault/vault.ts';
import { autostartsOf } from '../autostart/create-autostart.ts';
import {
  AgentUnresponsiveError,
  type ControlClient,
  type ControlOptions,
  connectControl,
} from '../control/control-client.ts';
import type { UnenrollReport } from '../control/control-messages.ts';
import { readAllRoots } from '../host/device-root.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { withService } from '../service/device-service.ts';
import type { Enrollment } from '../settings/state-files.ts';

/** The agent restores the settings of this computer before it ends. */
const STOP_MS = 60_000;

/**
 * Removes every trace of the agent from this computer, in the order that keeps its network working. Nothing but the
 * autostart is removed if the agent does not stop: it would restore the rest.
 */
export async function unenroll(
  parts: AgentParts,
  options: ControlOptions,
  stopMs = STOP_MS,
): Promise<UnenrollReport> {
  const { files, vault, stores, network, settings } = parts;
  const done: string[] = [];
  const left: string[] = [];
  const known = files.enrollment();
  const roots = readAllRoots(files);

  await removeAutostarts(parts, { done, left });
  const stop = await stopAgent(files.control, options, stopMs);
  if (stop.kind === 'runs') {
    left.push(`The agent does not stop. End the process ${stop.pid}, then run "agent unenroll" again.`);
    return { done, left };
  }
  if (stop.kind === 'stopped') done.push('The agent was stopped.');
  if (settings.changesSystemProxy) {
    const released = await network.release();
    if (released.kind === 'failed') left.push(released.reason);
    else done.push('The previous proxy setting of this computer is in effect.');
  }
  await removeRoots(roots, stores, { done, left });
  const atService = known.kind === 'ok' ? await leaveService(parts, known.enrollment) : null;
  const problems = await removeSecrets(vault);
  if (problems.length === 0) done.push(`The credential was removed from ${vault.location}.`);
  left.push(...problems);
  // If something is left, the way to restore it must stay known.
  if (left.length > 0) {
    left.push(
      `The files of the agent in ${files.dir} were kept. Run "agent unenroll" again when this is solved.`,
    );
  } else {
    const others = files.removeAll();
    done.push(`The files of the agent in ${files.dir} were removed.`);
    for (const file of others) left.push(`${file} does not belong to the agent and was kept.`);
  }
  if (atService !== null) done.push(atService);
  return { done, left };
}

type StopOutcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'runs'; readonly pid: number };

async function stopAgent(controlFile: string, options: ControlOptions, stopMs: number): Promise<StopOutcome> {
  let stalled: number | null = null;
  const running = await connectControl(controlFile, {
    ...options,
    onStall(pid) {
      stalled = pid;
    },
  });
  if (running === null) return stalled === null ? { kind: 'absent' } : { kind: 'runs', pid: stalled };
  if (await hasStopped(running, stopMs)) return { kind: 'stopped' };
  running.close();
  return { kind: 'runs', pid: running.pid };
}

async function hasStopped(running: ControlClient, stopMs: number): Promise<boolean> {
  try {
    await running.call('stop');
  } catch (error) {
    // An agent that ended before it responded has stopped.
    if (error instanceof AgentUnresponsiveError) return false;
  }
  const hasEnded = running.closed.then(() => true);
  return Promise.race([hasEnded, setTimeout(stopMs, false, { ref: false })]);
}

/** Sentences about what was removed and what was left. */
interface Progress {
  readonly done: string[];
  readonly left: string[];
}

async function removeAutostarts({ settings, run }: AgentParts, { done, left }: Progress): Promise<void> {
  for (const autostart of autostartsOf({ ...settings, run, uid: userInfo().uid })) {
    if ((await autostart.state()).kind === 'absent') continue;
    const problem = await autostart.remove();
    if (problem === null) done.push(`The agent is no longer started automatically (${autostart.name}).`);
    else left.push(problem);
  }
}

/** Tries to remove every secret: one that cannot be removed must not keep the others. Returns the problems. */
async function removeSecrets(vault: AgentParts['vault']): Promise<readonly string[]> {
  const problems = new Set<string>();
  for (const name of SECRET_NAMES) {
    const removed = await vault.remove(name);
    if (removed.kind !== 'ok') problems.add(removed.reason);
  }
  return [...problems];
}

async function removeRoots(
  roots: readonly TrustedRoot[],
  stores: readonly TrustStore[],
  { done, left }: Progress,
): Promise<void> {
  for (const store of stores) {
    for (const root of roots) {
      const state = await store.state(root);
      if (state.kind !== 'installed') continue;
      const removed = await store.remove(root);
      const isGone = removed.kind === 'done' && (await store.state(root)).kind !== 'installed';
      if (isGone) done.push(`The certificate was removed from the ${store.name} store.`);
      else if (removed.kind !== 'done') left.push(removed.reason);
      else left.push(`The certificate is still in the ${store.name} store. Remove it there manually.`);
    }
  }
}

/** Runs while there is a credential. If it fails, an administrator can revoke the device at the service. */
async function leaveService(parts: AgentParts, { server, deviceId }: Enrollment): Promise<string> {
  const remedy = 'Ask an administrator to revoke it there.';
  const credential = await parts.vault.read('device-credential');
  if (credential.kind === 'missing') {
    return `This computer had no credential of the device ${deviceId} anymore. If ${server} still lists it, ask an administrator to revoke it there.`;
  }
  if (credential.kind !== 'ok') {
    return `The credential could not be read, so ${server} still lists the device ${deviceId}. ${remedy}`;
  }
  try {
    const outcome = await withService(parts, (client) => client.unenroll());
    if (outcome.kind === 'ok') return `${server} has revoked the device ${deviceId}.`;
    if (outcome.kind === 'refused' && outcome.status === 401) {
      return `${server} no longer knows the device ${deviceId}.`;
    }
    if (outcome.kind === 'refused') {
      return `${server} did not revoke the device ${deviceId} (status ${outcome.status}: ${outcome.message}). ${remedy}`;
    }
  } catch {
    // For example a company proxy that cannot be read: reported below.
  }
  return `${server} could not be reached and still lists the device ${deviceId}. ${remedy}`;
}
