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
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import { hasFeature } from '../../access/require-feature.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { EndpointOf, Storage } from '../../storage/storage.ts';
import { endpointEntry, type TestDeps, testEndpoint } from '../../webhooks/outbound/endpoint-acts.ts';
import {
  deliveryRecord,
  readBacklogs,
  webhookRecord,
  webhookSettings,
} from '../../webhooks/outbound/webhook-records.ts';
import {
  addEndpoint,
  type ChangeEndpointDeps,
  changeEndpoint,
  type EndpointAdmin,
  makeSecret,
  removeEndpoint,
  removeSecret,
  rotateSecret,
  type SavedEndpoint,
} from './change-endpoint.ts';

/** The routes that projects' webhooks had before endpoints had routes of their own. */
export interface WebhookDeps extends ChangeEndpointDeps {
  readonly storage: ChangeEndpointDeps['storage'] & Pick<Storage, 'deliveries'>;
}

/** The first webhook of a project is the one at `/webhook`; its id follows from the project's. */
const firstId = (projectId: string): string => ownEndpointId('webhook', projectId);

export async function readWebhook(
  { storage }: Pick<WebhookDeps, 'storage'>,
  admin: EndpointAdmin,
  projectId: string,
): Promise<WebhookSettings> {
  await findProject(storage, admin, projectId);
  const endpoint = await storage.endpoints.own(admin.organizationId, 'webhook', projectId);
  return webhookSettings(projectId, endpoint, admin.account, []);
}

/** Lists the first webhook, if it has a URL, then the others, oldest first. */
export async function listWebhooks(
  { storage }: Pick<WebhookDeps, 'storage'>,
  admin: EndpointAdmin,
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
  admin: EndpointAdmin,
  projectId: string,
  { webhook_url: address, webhook_enabled: enabled }: ChangeWebhook,
): Promise<WebhookSettings> {
  const { organizationId, account } = admin;
  await findProject(deps.storage, admin, projectId);
  const known = await deps.storage.endpoints.own(organizationId, 'webhook', projectId);
  const url = address === undefined ? (known?.url ?? null) : address.trim() || null;
  if (enabled === true && url === null) {
    const msg = 'Enter an endpoint URL before you enable the webhook.';
    throw new ValidationError([{ loc: ['body', 'webhook_url'], msg, type: 'missing' }]);
  }
  // Also checks an existing URL: its addresses may have changed since.
  const warnings = url === null ? [] : await checkTarget('webhook_url', url, deps.targetRules);
  let secret: string | null = null;
  const endpoint = await deps.storage.transaction(async ({ endpoints, projects, audit }) => {
    await projects.lock(organizationId, projectId);
    const before = await endpoints.put(organizationId, 'webhook', projectId, {});
    const isNew = url !== null && before.url === null && before.secretAtMs === null;
    secret = isNew && hasFeature(account) ? makeSecret() : null;
    if (secret !== null) await endpoints.rotateSecret(organizationId, before.id, secret, null);
    const isEnabled = (enabled ?? before.isEnabled) && url !== null;
    const saved = await endpoints.put(organizationId, 'webhook', projectId, { url, isEnabled });
    const data = { webhook_enabled: isEnabled, url_changed: url !== before.url };
    const entry = endpointEntry(saved, admin, 'changed', {});
    await audit.append({ ...entry, data: { ...data, ...(secret !== null && { secret_created: true }) } });
    return saved;
  });
  deps.forgetKeys();
  const shownOnce = secret === null ? {} : { secret };
  return { ...webhookSettings(projectId, endpoint, account, warnings), ...shownOnce };
}

/** Sets the project's first webhook if there is none yet; otherwise adds another. */
export async function addWebhook(
  deps: WebhookDeps,
  admin: EndpointAdmin,
  projectId: string,
  { webhook_url: address, webhook_enabled: enabled = true, events = null }: AddWebhook,
): Promise<ProjectWebhook> {
  const input = { kind: 'webhook', project_id: projectId, address, enabled, events } as const;
  return await shown(deps, admin, await addEndpoint(deps, admin, input, 'webhook_url'));
}

export async function changeProjectWebhook(
  deps: WebhookDeps,
  admin: EndpointAdmin,
  projectId: string,
  webhookId: string,
  { webhook_url: address, webhook_enabled: enabled, ...change }: ChangeProjectWebhook,
): Promise<ProjectWebhook> {
  const webhook = await findWebhook(deps.storage, admin, projectId, webhookId);
  const named = {
    ...(address !== undefined && { address }),
    ...(enabled !== undefined && { enabled }),
  };
  const saved = await changeEndpoint(deps, admin, webhook, { ...named, ...change }, 'webhook_url');
  return await shown(deps, admin, saved);
}

/** Removes a webhook; its pending deliveries are given up. */
export async function removeWebhook(
  deps: WebhookDeps,
  admin: Admin,
  projectId: string,
  webhookId: string,
): Promise<void> {
  await removeEndpoint(deps, admin, await findWebhook(deps.storage, admin, projectId, webhookId));
}

export async function rotateWebhookSecret(
  deps: WebhookDeps,
  admin: EndpointAdmin,
  projectId: string,
  /** null: the first webhook, which may have no URL yet. */
  webhookId: string | null,
  graceMinutes: number,
): Promise<{ readonly secret: string; readonly previous_valid_until: string | null }> {
  await findProject(deps.storage, admin, projectId);
  const webhook =
    webhookId === null
      ? await deps.storage.endpoints.put(admin.organizationId, 'webhook', projectId, {})
      : await findWebhook(deps.storage, admin, projectId, webhookId);
  return await rotateSecret(deps, admin, webhook, graceMinutes);
}

/** Removes the secret of the first webhook; bodies are no longer signed. */
export async function removeWebhookSecret(
  deps: WebhookDeps,
  admin: EndpointAdmin,
  projectId: string,
): Promise<WebhookSettings> {
  await findProject(deps.storage, admin, projectId);
  const webhook = await deps.storage.endpoints.own(admin.organizationId, 'webhook', projectId);
  if (webhook === null) throw unknownWebhook();
  await removeSecret(deps, admin, webhook);
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
  const webhook = await findWebhook(deps.storage, admin, projectId, id);
  return deliveryRecord(await testEndpoint(deps, admin, webhook));
}

/** Returns a webhook of the project that has a URL. */
export async function findWebhook(
  storage: Pick<Storage, 'endpoints' | 'projects'>,
  admin: Admin,
  projectId: string,
  webhookId: string,
): Promise<EndpointOf<'webhook'>> {
  await findProject(storage, admin, projectId);
  const found = await storage.endpoints.get(admin.organizationId, webhookId);
  if (found?.kind !== 'webhook' || found.projectId !== projectId || found.url === null)
    throw unknownWebhook();
  return found;
}

async function shown(
  { storage }: Pick<WebhookDeps, 'storage'>,
  { organizationId }: Admin,
  { endpoint, warnings, shownOnce }: SavedEndpoint<'webhook'>,
): Promise<ProjectWebhook> {
  const backlogOf = await readBacklogs(storage, organizationId, [endpoint]);
  return { ...webhookRecord(endpoint, backlogOf), warnings: [...warnings], ...shownOnce };
}

function unknownWebhook(): CodedError {
  return new CodedError('not_found', { message: 'This project has no such webhook.' });
}
