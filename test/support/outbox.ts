import assert from 'node:assert/strict';
import type { EmailWithText } from '../../apps/cloud/src/storage/storage.ts';
import type { TestGateway } from './gateway.ts';

/** The emails to one address, newest first, with their texts as stored in the outbox. */
export async function emailsTo(
  { storage, account }: Pick<TestGateway, 'storage' | 'account'>,
  email: string,
  organizationId = account.organizationId,
): Promise<EmailWithText[]> {
  const scope = { organizationId, withAccounts: true };
  const mails = (await storage.emails.list(scope, { limit: 200 })).filter(({ to }) => to === email);
  return await Promise.all(mails.map(async ({ id }) => (await storage.emails.get(scope, id))!));
}

/** The token of the one-time link in the newest email to that address. */
export async function tokenTo(
  gateway: Pick<TestGateway, 'storage' | 'account'>,
  email: string,
  organizationId?: string,
): Promise<string> {
  const [newest] = await emailsTo(gateway, email, organizationId);
  const token = /#token=([0-9A-Za-z]+)/.exec(newest?.text ?? '')?.[1];
  assert.ok(token !== undefined, `no link in the newest email to ${email}: ${newest?.text}`);
  return token;
}
