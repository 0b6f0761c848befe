import { randomBytes } from 'node:crypto';
import {
  type AddWebhook,
  type ChangeProjectWebhook,
  type ChangeWebhook,
  CodedError,
  ownEndpointId,
  type ProjectWebhook,
  ValidationError,
  type WebhookDeliveryRecord,
  type WebhookSettings,
} from '@csg/shared/contract';
import type { Account } from '../../access/account-of.ts';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import { hasFeature, requireFeature } from '../../access/require-feature.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import type { EndpointOf, Endpoints, Repositories, Storage } from '../../storage/storage.ts';
import { isoTimeOrNull } from '../../wire/iso-time.ts';
import { pauseEndpoint, type TestDeps, testEndpoint } from './endpoint-acts.ts';
import {
  type BacklogOf,
  deliveryRecord,
  readBacklogs,
  webhookRecord,
  webhookSettings,
} from './webhook-records.ts';

export interface WebhookDeps {
  readonly storage: Pick<Storage, 'projects' | 'endpoints' | 'deliveries' | 'transaction'>;
  readonly clock: { now(): number };
  /** Addresses that may be entered. */
  readonly targetRules: GuardRules;
  /** Makes a webhook that was just enabled apply to the next decision. */
  readonly forgetKeys: () => void;
}

/** An admin, with the plan of their organization. */
export type WebhookAdmin = Admin & { readonly account: Account };

const MAX_WEBHOOKS = 20;

/** The first webhook of a project is the one at `/webhook`; its id follows from the project's. */
const firstId = (projectId: string): string => ownEndpointId('webhook', projectId);

export async function readWebhook(
  { storage }: Pick<WebhookDeps, 'storage'>,
  admin: WebhookAdmin,
  projectId: string,
): Promise<WebhookSettings> {
  await findProject(storage, admin, projectId);
  const endpoint = await storage.endpoints.own(admin.organizationId, 'webhook', projectId);
  return webhookSettings(projectId, endpoint, admin.account, []);
}

/** Lists the first webhook, if it has a URL, then the others, oldest first. */
export async function listWebhooks(
  { storage }: Pick<WebhookDeps, 'storage'>,
  admin: WebhookAdmin,
  projectId: string,
): Promise<ProjectWebhook[]> {
  await findProject(storage, admin, projectId);
  const found = await storage.endpoints.list(admin.organizationId, { kind: 'webhook', projectId });
  const isFirst = ({ id }: { id: string }) => id === firstId(projectId);
  const sorted = [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))];
  const backlogOf = await readBacklogs(storage, admin.organizationId, found);
  return sorted.map((endpoint) => webhookRecord(endpoint, backlogOf));
}

/**
 * Changes the project's first webhook. Removing its URL disables it; on plans with signing the first URL gets a
 * secret, so that nothing is sent unsigned by accident.
 */
export async function changeWebhook(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  { webhook_url: address, webhook_enabled: isEnabled }: ChangeWebhook,
): Promise<WebhookSettings> {
  const url = address === undefined ? undefined : address.trim() || null;
  const saved = await saveWebhook(deps, admin, projectId, firstId(projectId), { url, isEnabled });
  return {
    ...webhookSettings(projectId, saved.endpoint, admin.account, saved.warnings),
    ...saved.shownOnce,
  };
}

/** Sets the project's first webhook if there is none yet; otherwise adds another. */
export async function addWebhook(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  { webhook_url: address, webhook_enabled: isEnabled = true, events = null }: AddWebhook,
): Promise<ProjectWebhook> {
  await findProject(deps.storage, admin, projectId);
  const { organizationId } = admin;
  const first = await deps.storage.endpoints.own(organizationId, 'webhook', projectId);
  const input = { url: address.trim(), isEnabled, events };
  if (first === null || first.url === null) {
    const saved = await saveWebhook(deps, admin, projectId, firstId(projectId), input);
    return await shown(deps, admin, saved);
  }
  const warnings = await checkTarget('webhook_url', address, deps.targetRules);
  const secret = hasFeature(admin.account) ? makeSecret() : null;
  const endpoint = await changing(deps, admin, projectId, async ({ endpoints, projects }) => {
    // Locks the project first, so that of two concurrent calls the second one counts the first.
    await projects.lock(organizationId, projectId);
    if ((await endpoints.list(organizationId, { kind: 'webhook', projectId })).length >= MAX_WEBHOOKS) {
      throw new CodedError('plan_limit_reached', {
        message: `A project can have at most ${MAX_WEBHOOKS} webhooks. Delete one first.`,
        fields: { limit: MAX_WEBHOOKS },
      });
    }
    const added = await endpoints.insert(organizationId, 'webhook', { ...input, projectId, secret });
    return { kind: 'webhook_added', data: { webhook_id: added.id }, result: added };
  });
  return await shown(deps, admin, { endpoint, warnings, shownOnce: secret === null ? {} : { secret } });
}

export async function changeProjectWebhook(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  webhookId: string,
  { webhook_url: address, webhook_enabled: isEnabled, events, paused }: ChangeProjectWebhook,
): Promise<ProjectWebhook> {
  await findProject(deps.storage, admin, projectId);
  await findWebhook(deps.storage.endpoints, admin, projectId, webhookId);
  const saved = await saveWebhook(deps, admin, projectId, webhookId, {
    ...{ url: address?.trim(), isEnabled, events },
  });
  if (paused === undefined) return await shown(deps, admin, saved);
  const endpoint = { ...saved.endpoint, pausedAtMs: paused ? deps.clock.now() : null };
  await pauseEndpoint(deps, admin, endpoint, paused);
  return await shown(deps, admin, { ...saved, endpoint });
}

/** Removes a webhook; its pending deliveries are given up. */
export async function removeWebhook(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  webhookId: string,
): Promise<void> {
  await findProject(deps.storage, admin, projectId);
  await findWebhook(deps.storage.endpoints, admin, projectId, webhookId);
  await changing(deps, admin, projectId, async ({ endpoints }) => {
    if (!(await endpoints.remove(admin.organizationId, webhookId))) throw unknownWebhook();
    return { kind: 'webhook_removed', data: { webhook_id: webhookId }, result: null };
  });
}

/** Creates a secret, returned only here. The previous one also signs until the end of the grace time. */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  /** null: the first webhook, which may have no URL yet. */
  webhookId: string | null,
  graceMinutes: number,
): Promise<{ readonly secret: string; readonly previous_valid_until: string | null }> {
  const { organizationId } = admin;
  await findProject(deps.storage, admin, projectId);
  if (webhookId !== null) await findWebhook(deps.storage.endpoints, admin, projectId, webhookId);
  requireFeature(admin.account, 'webhook_signing');
  const secret = makeSecret();
  const wantedMs = graceMinutes === 0 ? null : deps.clock.now() + graceMinutes * 60_000;
  const untilMs = await changing(deps, admin, projectId, async ({ endpoints }) => {
    const id = webhookId ?? (await endpoints.put(organizationId, 'webhook', projectId, {})).id;
    const had = (await endpoints.get(organizationId, id))?.secretAtMs != null;
    const until = await endpoints.rotateSecret(organizationId, id, secret, had ? wantedMs : null);
    if (until === undefined) throw unknownWebhook();
    const data = { had_one_before: had, grace_minutes: had ? graceMinutes : 0 };
    return {
      ...{ kind: 'webhook_secret_rotated', result: until },
      data: id === firstId(projectId) ? data : { ...data, webhook_id: id },
    };
  });
  return { secret, previous_valid_until: isoTimeOrNull(untilMs) };
}

/** Removes the secret of the first webhook; bodies are no longer signed. */
export async function removeWebhookSecret(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
): Promise<WebhookSettings> {
  await findProject(deps.storage, admin, projectId);
  await changing(deps, admin, projectId, async ({ endpoints }) => {
    if (!(await endpoints.removeSecret(admin.organizationId, firstId(projectId)))) {
      throw new CodedError('not_found', { message: 'This project has no webhook secret.' });
    }
    return { kind: 'webhook_secret_removed', data: {}, result: null };
  });
  return await readWebhook(deps, admin, projectId);
}

/** Sends a made-up event to a webhook of the project; null: the first one. */
export async function testWebhook(
  deps: TestDeps & { readonly storage: Pick<Storage, 'projects' | 'endpoints'> },
  admin: Admin,
  projectId: string,
  webhookId: string | null,
): Promise<WebhookDeliveryRecord> {
  await findProject(deps.storage, admin, projectId);
  const id = webhookId ?? firstId(projectId);
  const found = await deps.storage.endpoints.get(admin.organizationId, id);
  const isFirst = id === firstId(projectId);
  if (isFirst && (found === null || found.url === null)) {
    throw new CodedError('invalid_state', { message: 'Save an endpoint URL first.' });
  }
  const webhook = await findWebhook(deps.storage.endpoints, admin, projectId, id);
  return deliveryRecord(await testEndpoint(deps, admin, webhook));
}

/** Returns a webhook of the project that has a URL. */
export async function findWebhook(
  endpoints: Pick<Endpoints, 'get'>,
  { organizationId }: Admin,
  projectId: string,
  webhookId: string,
): Promise<EndpointOf<'webhook'>> {
  const found = await endpoints.get(organizationId, webhookId);
  if (found?.kind !== 'webhook' || found.projectId !== projectId || found.url === null)
    throw unknownWebhook();
  return found;
}

interface SavedWebhook {
  readonly endpoint: EndpointOf<'webhook'>;
  readonly warnings: readonly string[];
  readonly shownOnce: { readonly secret?: string };
}

interface WebhookChange {
  readonly url?: string | null | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly events?: readonly string[] | null | undefined;
}

async function saveWebhook(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  webhookId: string,
  change: WebhookChange,
): Promise<SavedWebhook> {
  const { organizationId } = admin;
  await findProject(deps.storage, admin, projectId);
  const isFirst = webhookId === firstId(projectId);
  const known = await deps.storage.endpoints.get(organizationId, webhookId);
  const wanted = change.url === undefined ? (known?.url ?? null) : change.url;
  if (change.isEnabled === true && wanted === null) {
    const msg = 'Enter an endpoint URL before you enable the webhook.';
    throw new ValidationError([{ loc: ['body', 'webhook_url'], msg, type: 'missing' }]);
  }
  // Also checks an existing URL: its addresses may have changed since.
  const isChecked = wanted !== null && (isFirst || change.url !== undefined);
  const warnings = isChecked ? await checkTarget('webhook_url', wanted, deps.targetRules) : [];
  let secret: string | null = null;
  const endpoint = await changing(deps, admin, projectId, async ({ endpoints, projects }) => {
    secret = null;
    await projects.lock(organizationId, projectId);
    // The first webhook has a row from here on, so that it is changed like the others.
    if (isFirst) await endpoints.put(organizationId, 'webhook', projectId, {});
    const before = await endpoints.get(organizationId, webhookId);
    if (before === null) throw unknownWebhook();
    const isEnabled = (change.isEnabled ?? before.isEnabled) && wanted !== null;
    const { events } = change;
    const input = { url: wanted, isEnabled, ...(events !== undefined && { events }) };
    const isNew = wanted !== null && before.url === null && before.secretAtMs === null;
    if (isNew && hasFeature(admin.account)) {
      secret = makeSecret();
      await endpoints.rotateSecret(organizationId, webhookId, secret, null);
    }
    const saved = await endpoints.update(organizationId, 'webhook', webhookId, input);
    if (saved === null) throw unknownWebhook();
    const data = {
      ...(!isFirst && { webhook_id: webhookId }),
      webhook_enabled: isEnabled,
      url_changed: wanted !== before.url,
      ...(secret !== null && { secret_created: true }),
    };
    return { kind: 'webhook_changed', data, result: saved };
  });
  return { endpoint, warnings, shownOnce: secret === null ? {} : { secret } };
}

const makeSecret = (): string => `whsec_${randomBytes(24).toString('base64url')}`;

async function shown(
  { storage }: Pick<WebhookDeps, 'storage'>,
  { organizationId }: Admin,
  { endpoint, warnings, shownOnce }: SavedWebhook,
): Promise<ProjectWebhook> {
  const backlogOf: BacklogOf = await readBacklogs(storage, organizationId, [endpoint]);
  return { ...webhookRecord(endpoint, backlogOf), warnings: [...warnings], ...shownOnce };
}

/** Makes a change and writes its audit row atomically. */
async function changing<T>(
  deps: WebhookDeps,
  { organizationId, id: actor }: Admin,
  projectId: string,
  work: (repositories: Repositories) => Promise<{
    readonly kind: string;
    readonly data: Readonly<Record<string, boolean | number | string>>;
    readonly result: T;
  }>,
): Promise<T> {
  const changed = await deps.storage.transaction(async (repositories) => {
    const { kind, data, result } = await work(repositories);
    await repositories.audit.append({ organizationId, kind, actor, subject: projectId, data });
    return result;
  });
  deps.forgetKeys();
  return changed;
}

function unknownWebhook(): CodedError {
  return new CodedError('not_found', { message: 'This project has no such webhook.' });
}
