import {
  type AddWebhook,
  type ChangeProjectWebhook,
  CodedError,
  type ProjectWebhook,
} from '@csg/shared/contract';
import { findProject } from '../../access/find-project.ts';
import { hasFeature } from '../../access/require-feature.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { FurtherWebhook, Project, Repositories, Storage } from '../../storage/storage.ts';
import { changeWebhook, makeSecret, type WebhookAdmin, type WebhookDeps } from './change-webhook.ts';

export interface ProjectWebhookDeps extends WebhookDeps {
  readonly storage: WebhookDeps['storage'] & Pick<Storage, 'furtherWebhooks'>;
}

const MAX_WEBHOOKS = 20;

/** The id of a project's first webhook, which stands with the project. */
export const firstWebhookId = (projectId: string): string => projectId.replace(/^proj_/, 'whk_');

/** The first, where it has an address, then the others, oldest first. */
export async function listWebhooks(
  { storage }: Pick<ProjectWebhookDeps, 'storage'>,
  admin: WebhookAdmin,
  projectId: string,
): Promise<ProjectWebhook[]> {
  const project = await findProject(storage, admin, projectId);
  const secret = await storage.webhooks.getSecret(admin.organizationId, projectId);
  const further = await storage.furtherWebhooks.list(admin.organizationId, projectId);
  const first = project.webhookUrl === null ? [] : [firstRecord(project, secret !== null)];
  return [...first, ...further.map(furtherRecord)];
}

/** The project's first where there is none yet, else one more. */
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
      // Held first: of two at once the second counts the first.
      await projects.hold(admin.organizationId, projectId);
      const known = await furtherWebhooks.list(admin.organizationId, projectId);
      if (known.length + 1 >= MAX_WEBHOOKS) {
        throw new CodedError('plan_limit_reached', {
          message: `A project has at most ${MAX_WEBHOOKS} webhooks. Delete one first.`,
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
  return { ...furtherRecord(made), warnings: [...warnings], ...(secret === null ? {} : { secret }) };
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
  return { ...furtherRecord(changed), warnings: [...warnings] };
}

/** What waits for it is given up. */
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
  { events, ...change }: ChangeProjectWebhook,
): Promise<ProjectWebhook> {
  const isNew = project.webhookUrl === null;
  const withState = { ...change, ...(isNew ? { webhook_enabled: change.webhook_enabled ?? true } : {}) };
  const settings = await changeWebhook(deps, admin, project.id, withState);
  if (events !== undefined) {
    await deps.storage.projects.update(admin.organizationId, project.id, { webhookEvents: events });
    deps.forgetKeys();
  }
  const after = await findProject(deps.storage, admin, project.id);
  return {
    ...firstRecord(after, settings.signing.enabled),
    warnings: settings.warnings,
    ...(settings.secret === undefined ? {} : { secret: settings.secret }),
  };
}

/** Changes it and writes the audit row, all or nothing. */
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

function firstRecord(project: Project, isSigned: boolean): ProjectWebhook {
  return {
    id: firstWebhookId(project.id),
    project_id: project.id,
    webhook_url: project.webhookUrl,
    webhook_enabled: project.webhookEnabled,
    events: eventsOf(project.webhookEvents),
    signed: isSigned,
  };
}

function furtherRecord(webhook: FurtherWebhook): ProjectWebhook {
  return {
    id: webhook.id,
    project_id: webhook.projectId,
    webhook_url: webhook.url,
    webhook_enabled: webhook.isEnabled,
    events: eventsOf(webhook.events),
    signed: webhook.isSigned,
  };
}

const eventsOf = (events: readonly string[] | null) =>
  events === null ? null : ([...events] as NonNullable<ProjectWebhook['events']>);

function unknownWebhook(): CodedError {
  return new CodedError('not_found', { message: 'This project has no webhook with this id.' });
}
