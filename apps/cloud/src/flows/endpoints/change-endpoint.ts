import { randomBytes } from 'node:crypto';
import {
  type ChangeEndpoint,
  CodedError,
  type EndpointKind,
  type NewEndpoint,
  ownEndpointId,
  ValidationError,
} from '@csg/shared/contract';
import type { Account } from '../../access/account-of.ts';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import { hasFeature, requireFeature } from '../../access/require-feature.ts';
import { requireRole } from '../../access/require-role.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import type { Endpoint, EndpointInput, EndpointOf, Repositories, Storage } from '../../storage/storage.ts';
import { endpointEntry, findEndpoint, pauseEndpoint } from '../../webhooks/outbound/endpoint-acts.ts';
import { endpointRow } from '../../webhooks/outbound/endpoint-kinds.ts';
import { isoTimeOrNull } from '../../wire/iso-time.ts';
import { isTimeZone } from '../notifications/due-at.ts';

export interface ChangeEndpointDeps {
  readonly storage: Pick<Storage, 'projects' | 'endpoints' | 'members' | 'transaction'>;
  readonly clock: { now(): number };
  /** Addresses that may be entered. */
  readonly targetRules: GuardRules;
  /** Makes an endpoint that was just changed apply to the next decision. */
  readonly forgetKeys: () => void;
}

/** An admin, with the plan of their organization. */
export type EndpointAdmin = Admin & { readonly account: Account };

export interface SavedEndpoint<K extends EndpointKind = EndpointKind> {
  readonly endpoint: EndpointOf<K>;
  readonly warnings: readonly string[];
  /** The secret, if one was created: returned only here. */
  readonly shownOnce: { readonly secret?: string };
}

const OPTIONS = ['events', 'form', 'digest', 'quiet_hours', 'fail_mode', 'timeout_ms'] as const;
type Options = Pick<NewEndpoint, (typeof OPTIONS)[number]>;

export const makeSecret = (): string => `whsec_${randomBytes(24).toString('base64url')}`;

/** Adds an endpoint. On plans with signing it gets a secret, so that nothing is sent unsigned by accident. */
export async function addEndpoint<K extends EndpointKind>(
  deps: ChangeEndpointDeps,
  admin: EndpointAdmin,
  { kind, project_id, address, enabled = true, ...options }: NewEndpoint & { kind: K },
  field = 'address',
): Promise<SavedEndpoint<K>> {
  const projectId = project_id ?? null;
  const { organizationId } = admin;
  const { owner, most, name, defaults, hasOwnId, hasSecret, recorded, added } = endpointRow(kind);
  if ((owner === 'project') !== (projectId !== null)) {
    const msg = owner === 'project' ? `A ${name} belongs to a project.` : `No project has a ${name}.`;
    throw invalid('project_id', msg);
  }
  if (projectId !== null) await findProject(deps.storage, admin, projectId);
  await requireRole(deps, admin, 'admin', { projectId });
  const input = {
    ...{ url: address.trim(), isEnabled: enabled, events: null, ...defaults },
    ...optionsOf(kind, options),
  } as EndpointInput<K>;
  const warnings = await checkAddress(deps, input, field);
  let secret: string | null = null;
  const endpoint = await changing(deps, async (repositories) => {
    const { endpoints, projects, organizations, audit } = repositories;
    // Of two concurrent calls, the second one counts the first.
    await (projectId === null
      ? organizations.lock(organizationId)
      : projects.lock(organizationId, projectId));
    const known = await endpoints.list(organizationId, { kind, ...(projectId !== null && { projectId }) });
    if (known.length >= most) throw tooMany(owner, name, most);
    const own = ownEndpointId(kind, projectId ?? organizationId);
    const isOwn = hasOwnId && known.every(({ id }) => id !== own);
    const saved = isOwn
      ? await endpoints.put(organizationId, kind, projectId, input)
      : await endpoints.insert(organizationId, kind, { ...input, ...(projectId !== null && { projectId }) });
    const isSigned = hasSecret(saved) && hasFeature(admin.account) && saved.secretAtMs === null;
    secret = isSigned ? makeSecret() : null;
    if (secret !== null) await endpoints.rotateSecret(organizationId, saved.id, secret, null);
    await audit.append(endpointEntry(saved, admin, added, recorded(saved)));
    return saved;
  });
  return { endpoint, warnings, shownOnce: secret === null ? {} : { secret } };
}

/** Returns an endpoint that the person may change: as an admin of the organization, or of its project. */
export async function findOwnEndpoint(
  deps: { readonly storage: Pick<Storage, 'endpoints' | 'members'> },
  admin: Admin,
  endpointId: string,
): Promise<Endpoint> {
  const endpoint = await findEndpoint(deps, admin, endpointId);
  await requireRole(deps, admin, 'admin', { projectId: endpoint.projectId });
  return endpoint;
}

/** Changes what is named; `events`, `digest` and `quiet_hours` may be null. */
export async function changeEndpoint<K extends EndpointKind>(
  deps: ChangeEndpointDeps,
  admin: Admin,
  before: EndpointOf<K>,
  { address, enabled, paused, ...options }: ChangeEndpoint,
  field = 'address',
): Promise<SavedEndpoint<K>> {
  const { organizationId, id } = before;
  const kind = before.kind as K;
  const change = {
    ...(address !== undefined && { url: address.trim() }),
    ...(enabled !== undefined && { isEnabled: enabled }),
    ...optionsOf(kind, options),
  } as Partial<EndpointInput<K>>;
  const warnings = address === undefined ? [] : await checkAddress(deps, { ...before, ...change }, field);
  let endpoint = before;
  if (paused === undefined || Object.keys(change).length > 0) {
    endpoint = await changing(deps, async ({ endpoints, audit }) => {
      const saved = await endpoints.update(organizationId, kind, id, change);
      if (saved === null) throw unknownEndpoint();
      const data = { ...endpointRow(kind).recorded(saved), url_changed: saved.url !== before.url };
      await audit.append(endpointEntry(saved, admin, 'changed', data));
      return saved;
    });
  }
  if (paused === undefined) return { endpoint, warnings, shownOnce: {} };
  await pauseEndpoint(deps, admin, endpoint, paused);
  const pausedAtMs = paused ? deps.clock.now() : null;
  return { endpoint: { ...endpoint, pausedAtMs }, warnings, shownOnce: {} };
}

/** Removes an endpoint; its pending deliveries are given up. */
export async function removeEndpoint(
  deps: ChangeEndpointDeps,
  admin: Admin,
  endpoint: Endpoint,
): Promise<void> {
  await changing(deps, async ({ endpoints, audit }) => {
    if (!(await endpoints.remove(endpoint.organizationId, endpoint.id))) throw unknownEndpoint();
    await audit.append(endpointEntry(endpoint, admin, 'removed', {}));
  });
}

/** Creates a secret, returned only here. The previous one also signs until the end of the grace time. */
export async function rotateSecret(
  deps: ChangeEndpointDeps,
  admin: EndpointAdmin,
  endpoint: Endpoint,
  graceMinutes: number,
): Promise<{ readonly secret: string; readonly previous_valid_until: string | null }> {
  const { organizationId, id, kind } = endpoint;
  requireFeature(admin.account, 'webhook_signing');
  const { name, hasSecret } = endpointRow(kind);
  if (!hasSecret(endpoint as never)) {
    throw new CodedError('invalid_state', { message: `This ${name} has no secret of its own.` });
  }
  const secret = makeSecret();
  const wantedMs = graceMinutes === 0 ? null : deps.clock.now() + graceMinutes * 60_000;
  const untilMs = await changing(deps, async ({ endpoints, audit }) => {
    const had = (await endpoints.get(organizationId, id))?.secretAtMs != null;
    const until = await endpoints.rotateSecret(organizationId, id, secret, had ? wantedMs : null);
    if (until === undefined) throw unknownEndpoint();
    const data = { had_one_before: had, grace_minutes: had ? graceMinutes : 0 };
    await audit.append(endpointEntry(endpoint, admin, 'secret_rotated', data));
    return until;
  });
  return { secret, previous_valid_until: isoTimeOrNull(untilMs) };
}

/** Removes the secret; bodies are no longer signed. */
export async function removeSecret(
  deps: ChangeEndpointDeps,
  admin: Admin,
  endpoint: Endpoint,
): Promise<void> {
  const { organizationId, id, kind } = endpoint;
  await changing(deps, async ({ endpoints, audit }) => {
    if (!(await endpoints.removeSecret(organizationId, id))) {
      throw new CodedError('not_found', { message: `This ${endpointRow(kind).name} has no secret.` });
    }
    await audit.append(endpointEntry(endpoint, admin, 'secret_removed', {}));
  });
}

/** Makes a change with its audit row atomically. */
async function changing<T>(
  { storage, forgetKeys }: Pick<ChangeEndpointDeps, 'storage' | 'forgetKeys'>,
  work: (repositories: Repositories) => Promise<T>,
): Promise<T> {
  const changed = await storage.transaction(work);
  forgetKeys();
  return changed;
}

/** What was set of the options, under the names of storage. An option of another kind is refused. */
function optionsOf(kind: EndpointKind, options: Options): Record<string, unknown> {
  const { name, defaults, events } = endpointRow(kind);
  const found: Record<string, unknown> = {};
  for (const option of OPTIONS) {
    const value = options[option];
    if (value === undefined) continue;
    const own = option.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (!(option === 'events' ? events.length > 0 : own in defaults)) {
      throw invalid(option, `A ${name} has no ${option.replaceAll('_', ' ')}.`);
    }
    found[own] = value;
  }
  const unknown = options.events?.find((event) => !events.includes(event));
  if (unknown !== undefined) throw invalid('events', `A ${name} is not sent ${unknown}.`);
  const zone = options.quiet_hours?.time_zone;
  if (zone !== undefined && !isTimeZone(zone)) {
    throw invalid('quiet_hours', 'Unknown time zone. Enter a name such as Europe/Berlin.');
  }
  return found;
}

async function checkAddress(
  { targetRules }: Pick<ChangeEndpointDeps, 'targetRules'>,
  { url, ...details }: { readonly url: string | null },
  field: string,
): Promise<readonly string[]> {
  if ((details as { form?: string }).form !== 'mail') return await checkTarget(field, url ?? '', targetRules);
  if (/^[^\s@]+@[^\s@]+$/.test(url ?? '')) return [];
  throw invalid(field, 'Enter an email address, such as security@example.com.');
}

function tooMany(owner: string, name: string, most: number): CodedError {
  const an = owner === 'project' ? 'A project' : 'An organization';
  const what = most === 1 ? `one ${name}. Change or delete it` : `${most} ${name}s. Delete one first`;
  return new CodedError('plan_limit_reached', {
    message: `${an} can have at most ${what}.`,
    fields: { limit: most },
  });
}

function invalid(field: string, msg: string): ValidationError {
  return new ValidationError([{ loc: ['body', field], msg, type: 'value_error' }]);
}

function unknownEndpoint(): CodedError {
  return new CodedError('not_found', { message: 'No such endpoint.' });
}
