import { randomBytes } from 'node:crypto';
import { type ChangeWebhook, CodedError, ValidationError, type WebhookSettings } from '@csg/shared/contract';
import type { Account } from '../../access/account-of.ts';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import { hasFeature, requireFeature } from '../../access/require-feature.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import type { Repositories, Storage } from '../../storage/storage.ts';
import { webhookSettings } from './webhook-records.ts';

export interface WebhookDeps {
  readonly storage: Pick<Storage, 'projects' | 'webhooks' | 'transaction'>;
  readonly clock: { now(): number };
  /** Addresses that may be entered. */
  readonly targetRules: GuardRules;
  /** Makes a webhook that was just enabled apply to the next decision. */
  readonly forgetKeys: () => void;
}

/** An admin, with the plan of their organization. */
export type WebhookAdmin = Admin & { readonly account: Account };

export async function readWebhook(
  deps: Pick<WebhookDeps, 'storage'>,
  admin: WebhookAdmin,
  projectId: string,
): Promise<WebhookSettings> {
  const project = await findProject(deps.storage, admin, projectId);
  const secret = await deps.storage.webhooks.getSecret(admin.organizationId, projectId);
  return webhookSettings(project, secret, admin.account, []);
}

/**
 * Changes the URL of a project's webhook and whether it is enabled. Removing the URL disables it; on plans with
 * signing the first URL gets a secret, so that nothing is sent unsigned by accident.
 */
export async function changeWebhook(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  change: ChangeWebhook,
): Promise<WebhookSettings> {
  const before = await findProject(deps.storage, admin, projectId);
  const isGiven = change.webhook_url !== undefined;
  const webhookUrl = isGiven ? change.webhook_url?.trim() || null : before.webhookUrl;
  const webhookEnabled = (change.webhook_enabled ?? before.webhookEnabled) && webhookUrl !== null;
  if (change.webhook_enabled === true && webhookUrl === null) {
    const msg = 'Enter an endpoint URL before you enable the webhook.';
    throw new ValidationError([{ loc: ['body', 'webhook_url'], msg, type: 'missing' }]);
  }
  // Also checks an existing URL: its addresses may have changed since.
  const warnings = webhookUrl === null ? [] : await checkTarget('webhook_url', webhookUrl, deps.targetRules);
  let secret: string | null = null;
  const settings = await changing(deps, admin, projectId, async ({ projects, webhooks }) => {
    secret = null;
    const locked = await projects.lock(admin.organizationId, projectId);
    await projects.update(admin.organizationId, projectId, { webhookUrl, webhookEnabled });
    const isFirst = webhookUrl !== null && locked?.webhookUrl === null && hasFeature(admin.account);
    if (isFirst && (await webhooks.getSecret(admin.organizationId, projectId)) === null) {
      secret = makeSecret();
      await webhooks.putSecret(projectId, secret, null);
    }
    const data = {
      webhook_enabled: webhookEnabled,
      url_changed: webhookUrl !== before.webhookUrl,
      ...(secret === null ? {} : { secret_created: true }),
    };
    return { kind: 'webhook_changed', data, warnings };
  });
  return secret === null ? settings : { ...settings, secret };
}

/** Creates a secret, returned only here. The previous one also signs until the end of the grace time. */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  graceMinutes: number,
): Promise<{ readonly secret: string; readonly previous_valid_until: string | null }> {
  requireFeature(admin.account, 'webhook_signing');
  const secret = makeSecret();
  const untilMs = graceMinutes === 0 ? null : deps.clock.now() + graceMinutes * 60_000;
  const settings = await changing(deps, admin, projectId, async ({ webhooks }) => {
    const had = (await webhooks.getSecret(admin.organizationId, projectId)) !== null;
    await webhooks.putSecret(projectId, secret, had ? untilMs : null);
    const data = { had_one_before: had, grace_minutes: had ? graceMinutes : 0 };
    return { kind: 'webhook_secret_rotated', data, warnings: [] };
  });
  return { secret, previous_valid_until: settings.signing.previous_valid_until };
}

/** Removes the secret; bodies are no longer signed. */
export async function removeWebhookSecret(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
): Promise<WebhookSettings> {
  return await changing(deps, admin, projectId, async ({ webhooks }) => {
    if (!(await webhooks.removeSecret(admin.organizationId, projectId))) {
      throw new CodedError('not_found', { message: 'This project has no webhook secret.' });
    }
    return { kind: 'webhook_secret_removed', data: {}, warnings: [] };
  });
}

export function makeSecret(): string {
  return `whsec_${randomBytes(24).toString('base64url')}`;
}

/** Makes a change and writes its audit row atomically. */
async function changing(
  deps: WebhookDeps,
  admin: WebhookAdmin,
  projectId: string,
  work: (repositories: Repositories) => Promise<{
    readonly kind: string;
    readonly data: Readonly<Record<string, boolean | number>>;
    readonly warnings: readonly string[];
  }>,
): Promise<WebhookSettings> {
  const { organizationId } = admin;
  const settings = await deps.storage.transaction(async (repositories) => {
    await findProject(repositories, admin, projectId);
    const { kind, data, warnings } = await work(repositories);
    await repositories.audit.append({ organizationId, kind, actor: admin.id, subject: projectId, data });
    const project = await findProject(repositories, admin, projectId);
    const secret = await repositories.webhooks.getSecret(organizationId, projectId);
    return webhookSettings(project, secret, admin.account, warnings);
  });
  deps.forgetKeys();
  return settings;
}
