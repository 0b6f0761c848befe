import {
  type AddWebhook,
  type ChangeProjectWebhook,
  CodedError,
  type ProjectWebhook,
} from '@csg/shared/contract';
import { findProject } from '../../access/find-project.ts';
import { hasFeature, requireFeature } from '../../access/require-feature.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { FurtherWebhook, Project, Repositories, Storage } from '../../storage/storage.ts';
import { isoTimeOrNull } from '../../wire/iso-time.ts';
import {
  changeWebhook,
  makeSecret,
  rotateWebhookSecret,
  type WebhookAdmin,
  type WebhookDeps,
} from './change-webhook.ts';

export interface ProjectWebhookDeps extends WebhookDeps {
  readonly storage: WebhookDeps['storage'] & Pick<Storage, 'furtherWebhooks'>;
}

const MAX_WEBHOOKS = 20;

/** Returns the id of a project's first webhook, which is stored with the project. */
export const firstWebhookId = (projectId: string): string => projectId.replace(/^proj_/, 'whk_');

/** Lists the first webhook, if it has a URL, then the others, oldest first. */
export async function listWebhooks(
  { storage }: Pick<ProjectWebhookDeps, 'storage'>,
  admin: WebhookAdmin,
  projectId: string,
): Promise<ProjectWebhook[]> {
  const project = await findProject(storage, admin, projectId);
  const secret = await storage.webhooks.getSecret(admin.organizationId, projectId);
  const further = await storage.furtherWebhooks.list(admin.organizationId, projectId);
  const states = await endpointStates(storage, admin.organizationId, projectId);
  const first = project.webhookUrl === null ? [] : [firstRecord(project, secret !== null, states)];
  return [...first, ...further.map((webhook) => furtherRecord(webhook, states))];
}

/** Sets the project's first webhook if there is none yet; otherwise adds another. */
export async function addWebhook(
  deps: ProjectWebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  input: AddWebhook,
): Promise<ProjectWebhook> {
  const project = await findProject(deps.storage, admin, projectId);
  const { webhook_url: address, webhook_enabled: isEnabled = true, events = null } = input;
  if (project.webhookUrl === null) return await changeFirst(deps, admin, project, { ...input, events });
  const warnings = await checkTarget('webhook_url', address, deps.targetRules);
  const secret = hasFeature(admin.account) ? makeSecret() : null;
  const made = await changing(
    deps,
    admin,
    projectId,
    'webhook_added',
    async ({ furtherWebhooks, projects }) => {
      // Locks the project first, so that of two concurrent calls the second one counts the first.
      await projects.lock(admin.organizationId, projectId);
      const known = await furtherWebhooks.list(admin.organizationId, projectId);
      if (known.length + 1 >= MAX_WEBHOOKS) {
        throw new CodedError('plan_limit_reached', {
          message: `A project can have at most ${MAX_WEBHOOKS} webhooks. Delete one first.`,
          fields: { limit: MAX_WEBHOOKS },
        });
      }
      const url = address.trim();
      return await furtherWebhooks.insert(admin.organizationId, projectId, {
        url,
        isEnabled,
        events,
        secret,
      });
    },
  );
  return {
    ...furtherRecord(made, NEW_ENDPOINT),
    warnings: [...warnings],
    ...(secret === null ? {} : { secret }),
  };
}

export async function changeProjectWebhook(
  deps: ProjectWebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  webhookId: string,
  change: ChangeProjectWebhook,
): Promise<ProjectWebhook> {
  const project = await findProject(deps.storage, admin, projectId);
  if (webhookId === firstWebhookId(projectId)) {
    if (project.webhookUrl === null) throw unknownWebhook();
    return await changeFirst(deps, admin, project, change);
  }
  const { webhook_url: address, webhook_enabled: isEnabled, events } = change;
  const url = address?.trim();
  const warnings = url === undefined ? [] : await checkTarget('webhook_url', url, deps.targetRules);
  const changed = await changing(deps, admin, projectId, 'webhook_changed', async ({ furtherWebhooks }) => {
    const found = await furtherWebhooks.update(admin.organizationId, projectId, webhookId, {
      ...(url === undefined ? {} : { url }),
      ...(isEnabled === undefined ? {} : { isEnabled }),
      ...(events === undefined ? {} : { events }),
    });
    if (found === null) throw unknownWebhook();
    return found;
  });
  await setPaused(deps, admin, projectId, webhookId, change.paused);
  const states = await endpointStates(deps.storage, admin.organizationId, projectId);
  return { ...furtherRecord(changed, states), warnings: [...warnings] };
}

/** Removes a webhook; its pending deliveries are given up. */
export async function removeWebhook(
  deps: ProjectWebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  webhookId: string,
): Promise<void> {
  const { organizationId } = admin;
  const project = await findProject(deps.storage, admin, projectId);
  const isFirst = webhookId === firstWebhookId(projectId);
  if (isFirst && project.webhookUrl === null) throw unknownWebhook();
  await changing(deps, admin, projectId, 'webhook_removed', async (repositories) => {
    await repositories.webhooks.resume(organizationId, isFirst ? projectId : webhookId);
    if (isFirst) {
      const off = { webhookUrl: null, webhookEnabled: false, webhookEvents: null };
      await repositories.projects.update(organizationId, projectId, off);
      await repositories.webhooks.removeSecret(organizationId, projectId);
    } else if (!(await repositories.furtherWebhooks.remove(organizationId, projectId, webhookId))) {
      throw unknownWebhook();
    }
    return { id: webhookId };
  });
}

async function changeFirst(
  deps: ProjectWebhookDeps,
  admin: WebhookAdmin,
  project: Project,
  { events, paused, ...change }: ChangeProjectWebhook,
): Promise<ProjectWebhook> {
  const isNew = project.webhookUrl === null;
  const withState = { ...change, ...(isNew ? { webhook_enabled: change.webhook_enabled ?? true } : {}) };
  const settings = await changeWebhook(deps, admin, project.id, withState);
  if (events !== undefined) {
    await deps.storage.projects.update(admin.organizationId, project.id, { webhookEvents: events });
    deps.forgetKeys();
  }
  await setPaused(deps, admin, project.id, project.id, paused);
  const states = await endpointStates(deps.storage, admin.organizationId, project.id);
  const after = await findProject(deps.storage, admin, project.id);
  return {
    ...firstRecord(after, settings.signing.enabled, states),
    warnings: settings.warnings,
    ...(settings.secret === undefined ? {} : { secret: settings.secret }),
  };
}

/** Makes a change and writes its audit row atomically. */
async function changing<T extends { readonly id: string }>(
  deps: ProjectWebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  kind: string,
  work: (repositories: Repositories) => Promise<T>,
): Promise<T> {
  const { organizationId } = admin;
  const changed = await deps.storage.transaction(async (repositories) => {
    const result = await work(repositories);
    const entry = { organizationId, kind, actor: admin.id, subject: projectId };
    await repositories.audit.append({ ...entry, data: { webhook_id: result.id } });
    return result;
  });
  deps.forgetKeys();
  return changed;
}

function firstRecord(project: Project, isSigned: boolean, states: EndpointStates): ProjectWebhook {
  return {
    id: firstWebhookId(project.id),
    project_id: project.id,
    webhook_url: project.webhookUrl,
    webhook_enabled: project.webhookEnabled,
    events: eventsOf(project.webhookEvents),
    signed: isSigned,
    ...states(project.id),
  };
}

function furtherRecord(webhook: FurtherWebhook, states: EndpointStates): ProjectWebhook {
  return {
    id: webhook.id,
    project_id: webhook.projectId,
    webhook_url: webhook.url,
    webhook_enabled: webhook.isEnabled,
    events: eventsOf(webhook.events),
    signed: webhook.isSigned,
    ...states(webhook.id),
  };
}

type EndpointStates = (
  endpointId: string,
) => Pick<ProjectWebhook, 'paused' | 'backlog' | 'oldest_waiting_at'>;
const NEW_ENDPOINT: EndpointStates = () => ({ paused: false, backlog: 0, oldest_waiting_at: null });

/** Returns whether each endpoint is paused, and its backlog; the first has the id of its project. */
async function endpointStates(
  { webhooks }: Pick<Storage, 'webhooks'>,
  organizationId: string,
  projectId: string,
): Promise<EndpointStates> {
  const paused = await webhooks.listPaused(organizationId);
  const backlogs = await webhooks.listBacklogs(organizationId, projectId);
  return (id) => {
    const backlog = backlogs.find(({ endpointId }) => endpointId === id);
    return {
      paused: paused.includes(id),
      backlog: backlog?.count ?? 0,
      oldest_waiting_at: isoTimeOrNull(backlog?.oldestMs ?? null),
    };
  };
}

async function setPaused(
  deps: ProjectWebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  endpointId: string,
  paused: boolean | undefined,
): Promise<void> {
  if (paused === undefined) return;
  const kind = paused ? 'webhook_paused' : 'webhook_resumed';
  await changing(deps, admin, projectId, kind, async ({ webhooks }) => {
    if (paused) await webhooks.pause(admin.organizationId, endpointId);
    else await webhooks.resume(admin.organizationId, endpointId);
    return { id: endpointId === projectId ? firstWebhookId(projectId) : endpointId };
  });
}

/** Creates a secret, returned only here; the previous one stays valid for the grace time. */
export async function rotateProjectWebhookSecret(
  deps: ProjectWebhookDeps,
  admin: WebhookAdmin,
  { projectId, webhookId }: { readonly projectId: string; readonly webhookId: string },
  graceMinutes: number,
): Promise<{ readonly secret: string; readonly previous_valid_until: string | null }> {
  const project = await findProject(deps.storage, admin, projectId);
  if (webhookId === firstWebhookId(projectId)) {
    if (project.webhookUrl === null) throw unknownWebhook();
    return await rotateWebhookSecret(deps, admin, projectId, graceMinutes);
  }
  requireFeature(admin.account, 'webhook_signing');
  const secret = makeSecret();
  const wantedMs = graceMinutes === 0 ? null : deps.clock.now() + graceMinutes * 60_000;
  let untilMs: number | null = null;
  await changing(deps, admin, projectId, 'webhook_secret_rotated', async ({ furtherWebhooks }) => {
    const { organizationId } = admin;
    const until = await furtherWebhooks.rotateSecret(organizationId, projectId, webhookId, secret, wantedMs);
    if (until === undefined) throw unknownWebhook();
    untilMs = until;
    return { id: webhookId };
  });
  return { secret, previous_valid_until: isoTimeOrNull(untilMs) };
}

const eventsOf = (events: readonly string[] | null) =>
  events === null ? null : ([...events] as NonNullable<ProjectWebhook['events']>);

function unknownWebhook(): CodedError {
  return new CodedError('not_found', { message: 'This project has no such webhook.' });
}
