import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServiceMessage } from '@csg/shared/contract';
import type { Exception, Storage, ToolRequest } from '../../storage/storage.ts';
import { rowOf } from '../approvals/request-kinds.ts';
import {
  type DeviceConfigDeps,
  type DeviceContext,
  readPolicyVersion,
  readSharedConfig,
  type SharedConfig,
} from './device-config.ts';

export interface ChannelDeps extends DeviceConfigDeps {
  readonly storage: DeviceConfigDeps['storage'] & Pick<Storage, 'organizations'>;
  readonly log: {
    error(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  readonly forgetKeys: () => void;
}

/** One connected device. */
export interface ChannelMember extends DeviceContext {
  send(message: ServiceMessage): void;
  end(why: 'revoked' | 'replaced'): void;
}

/**
 * The devices connected to this instance. It polls the storage, so decisions made by other instances, in the dashboard
 * or on the command line reach devices in the same way.
 */
export interface DeviceChannel {
  /** Adds a device; returns a function that removes it. A device has one connection: an earlier one is closed. */
  join(member: ChannelMember): () => void;
  /** Notes the configuration version that the device was sent. */
  note(deviceId: string, policyVersion: string): void;
  /** Polls once for changes and sends them. Never rejects; only one poll runs at a time. */
  poll(): Promise<void>;
  readonly size: number;
}

/** How far back a poll looks: more than clock differences between instances and the duration of transactions. */
const WINDOW_MS = 60_000;
/** Projects whose configuration is read in one poll; if more are connected, they take turns. */
const PROJECTS_PER_POLL = 100;

/** A reconnecting device replaces itself once or twice; two with the same credential do so endlessly. */
const TURNS_OF_TWO = 3;
const TURNS_WITHIN_MS = 5 * 60_000;

interface Listener {
  readonly member: ChannelMember;
  /** Announced decisions, as `id status`. */
  readonly announced: Set<string>;
  /** Undefined until it is first computed. */
  version: string | undefined;
}

export function createDeviceChannel(deps: ChannelDeps): DeviceChannel {
  const listeners = new Map<string, Listener>();
  /** Shared configuration of each project's devices at the last poll. */
  const lastShared = new Map<string, string>();
  /** Projects with a decision since the configuration of their devices was last compared. */
  const dirty = new Set<string>();
  const noteReplaced = createReplacementWatch(deps);
  const pollDecisions = createDecisionPoll(deps, listeners);
  let isPolling = false;
  let hasFailed = false;
  let turn = 0;

  function leave(listener: Listener): void {
    const { deviceId } = listener.member;
    if (listeners.get(deviceId) === listener) listeners.delete(deviceId);
  }

  async function pollRevoked(organizations: readonly string[], sinceMs: number): Promise<void> {
    const [revoked, existing] = await Promise.all([
      deps.storage.fleetSettings.revokedSince(organizations, sinceMs),
      deps.storage.organizations.listExisting(organizations),
    ]);
    // The devices of a deleted organization are deleted with it.
    const ofDeleted = [...listeners.values()].filter(
      ({ member }) =>
        organizations.includes(member.organizationId) && !existing.includes(member.organizationId),
    );
    for (const deviceId of [...revoked, ...ofDeleted.map(({ member }) => member.deviceId)]) {
      const listener = listeners.get(deviceId);
      if (listener === undefined) continue;
      deps.forgetKeys();
      leave(listener);
      listener.member.send({ type: 'revoked' });
      listener.member.end('revoked');
    }
  }

  /** Returns the projects to read in this poll, whether changed or not. */
  function nextTurns(names: readonly string[]): readonly string[] {
    const first = names.length > PROJECTS_PER_POLL ? turn % names.length : 0;
    turn = first + PROJECTS_PER_POLL;
    return [...names.slice(first), ...names.slice(0, first)].slice(0, PROJECTS_PER_POLL);
  }

  async function pollConfig(changed: ReadonlySet<string>): Promise<void> {
    const projects = byProject(listeners.values());
    for (const name of changedAmong(projects, changed)) dirty.add(name);
    keepOnly(lastShared, projects);
    for (const name of new Set([...dirty, ...nextTurns([...projects.keys()])])) {
      const members = projects.get(name);
      const isDirty = dirty.delete(name);
      if (members === undefined) continue;
      const { organizationId, projectId } = members[0].member;
      const shared = await readSharedConfig(deps, organizationId, projectId);
      const isNew = noteShared(name, JSON.stringify(shared)) || isDirty;
      const due = isNew ? members : members.filter((listener) => listener.version === undefined);
      if (due.length > 0) await sendVersions(deps, due, shared);
    }
  }

  function noteShared(name: string, text: string): boolean {
    const isNew = lastShared.get(name) !== text;
    lastShared.set(name, text);
    return isNew;
  }

  return {
    join(member) {
      const before = listeners.get(member.deviceId);
      if (before !== undefined) {
        before.member.end('replaced');
        noteReplaced(member);
      }
      const listener: Listener = { member, announced: new Set(), version: undefined };
      listeners.set(member.deviceId, listener);
      return () => leave(listener);
    },
    note(deviceId, policyVersion) {
      const listener = listeners.get(deviceId);
      if (listener === undefined || listener.version === policyVersion) return;
      listener.version = policyVersion;
      // This version may have been read before the last poll, and be outdated.
      dirty.add(nameOf(listener.member));
    },
    async poll() {
      if (isPolling || listeners.size === 0) return;
      isPolling = true;
      try {
        const sinceMs = deps.clock.now() - WINDOW_MS;
        const organizations = [
          ...new Set([...listeners.values()].map(({ member }) => member.organizationId)),
        ];
        await pollRevoked(organizations, sinceMs);
        await pollConfig(await pollDecisions(organizations, sinceMs));
        hasFailed = false;
      } catch (cause) {
        // A failed poll only causes a delay; it is logged once.
        if (!hasFailed) deps.log.error({ err: cause }, 'devices cannot be notified of changes for now');
        hasFailed = true;
      } finally {
        isPolling = false;
      }
    },
    get size() {
      return listeners.size;
    },
  };
}

function changedAmong(
  projects: ReadonlyMap<string, readonly [Listener, ...Listener[]]>,
  changed: ReadonlySet<string>,
): string[] {
  return [...projects].filter(([, [{ member }]]) => changed.has(member.organizationId)).map(([name]) => name);
}

function keepOnly(map: Map<string, unknown>, names: ReadonlyMap<string, unknown>): void {
  for (const name of map.keys()) if (!names.has(name)) map.delete(name);
}

function nameOf({ organizationId, projectId }: ChannelMember): string {
  return `${organizationId} ${projectId ?? ''}`;
}

/** Groups listeners by the project whose settings they share; no group is empty. */
function byProject(listeners: Iterable<Listener>): ReadonlyMap<string, readonly [Listener, ...Listener[]]> {
  const projects = new Map<string, [Listener, ...Listener[]]>();
  for (const listener of listeners) {
    const name = nameOf(listener.member);
    const known = projects.get(name);
    if (known === undefined) projects.set(name, [listener]);
    else known.push(listener);
  }
  return projects;
}

/** Warns if a device keeps replacing itself. */
function createReplacementWatch(deps: ChannelDeps): (member: ChannelMember) => void {
  const replaced = new Map<string, { times: number; sinceMs: number }>();
  return ({ deviceId, organizationId }: ChannelMember): void => {
    const nowMs = deps.clock.now();
    for (const [id, { sinceMs }] of replaced) if (nowMs - sinceMs > TURNS_WITHIN_MS) replaced.delete(id);
    const turns = replaced.get(deviceId) ?? { times: 0, sinceMs: nowMs };
    turns.times += 1;
    replaced.set(deviceId, turns);
    if (turns.times !== TURNS_OF_TWO) return;
    deps.log.warn(
      { device_id: deviceId, organization_id: organizationId },
      'a device takes its own place again and again: its credential may be in two places',
    );
  };
}

/** Sends decisions to the devices concerned; returns the organizations in which something was decided since the last poll. */
function createDecisionPoll(deps: ChannelDeps, listeners: ReadonlyMap<string, Listener>) {
  /** Decisions from earlier polls, with their time. */
  const seen = new Map<string, number>();
  return async (organizations: readonly string[], sinceMs: number): Promise<ReadonlySet<string>> => {
    const decided = await deps.storage.requests.changedSince(organizations, sinceMs);
    const changed = new Set<string>();
    for (const [name, atMs] of seen) if (atMs < sinceMs) seen.delete(name);
    const announce = (one: Exception | ToolRequest): void => {
      if (one.status === 'pending') return;
      const name = `${one.id} ${one.status}`;
      if (!seen.has(name)) changed.add(one.organizationId);
      seen.set(name, one.changedAtMs);
      const listener = one.deviceId === null ? undefined : listeners.get(one.deviceId);
      if (listener === undefined || listener.announced.has(name)) return;
      listener.announced.add(name);
      listener.member.send(decisionMessage(one));
    };
    for (const one of decided) announce(one);
    return changed;
  };
}

function decisionMessage(request: Exception | ToolRequest): ServiceMessage {
  return request.kind === 'exception'
    ? { type: 'exception-decided', exception: rowOf('exception').record(request) }
    : { type: 'tool-request-decided', tool_request: rowOf('tool_request').record(request) };
}

/** Updates all devices of one project. Most have no exceptions or approvals of their own, so they share one version. */
async function sendVersions(
  deps: ChannelDeps,
  members: readonly Listener[],
  shared: SharedConfig,
): Promise<void> {
  const { organizationId, projectId } = members[0]!.member;
  const [common, own] = await Promise.all([
    readPolicyVersion(deps, { organizationId, projectId, deviceId: null }, shared),
    deps.storage.requests.listDevicesApproved(organizationId),
  ]);
  const special = new Set(own);
  for (const listener of members) {
    const isSpecial = special.has(listener.member.deviceId);
    const version = isSpecial ? await readPolicyVersion(deps, listener.member, shared) : common;
    // Each version takes several reads: let other requests run in between.
    if (isSpecial) await nextTurn();
    const before = listener.version;
    listener.version = version;
    if (before !== undefined && before !== version) {
      listener.member.send({ type: 'config-changed', policy_version: version });
    }
  }
}
