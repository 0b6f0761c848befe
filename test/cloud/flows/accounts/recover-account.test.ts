import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recoverAccount } from '../../../../apps/cloud/src/flows/accounts/recover-account.ts';
import { requestPasswordReset } from '../../../../apps/cloud/src/flows/accounts/reset-password.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

test('a recovered account has no second factor, no session and one link, which is good for a day', async (t) => {
  const { deps, storage, clock, addPerson, signIn, changes, emailsTo } = await openAccountTestEnv(t);
  const { userId, email, organizationId } = await addPerson();
  const { knownToken } = await signIn(userId);
  await requestPasswordReset(deps, email, '192.0.2.1');
  const [old] = await emailsTo(email);
  await storage.secondFactors.begin(userId, 'JBSWY3DPEHPK3PXP');
  assert.equal(await recoverAccount(deps, 'none@example.com'), null);
  const recovered = await recoverAccount(deps, email.toUpperCase());
  assert.equal(recovered?.userId, userId);
  assert.equal(await storage.secondFactors.get(userId), null);
  assert.deepEqual(await storage.sessions.list(userId), []);
  assert.equal(await storage.knownBrowsers.isKnown(userId, knownToken, clock.now()), false);
  const { accountLinks } = storage;
  assert.equal(await accountLinks.spend('reset_password', old!.token, clock.now()), null);
  const link = await accountLinks.spend('reset_password', recovered!.token, clock.now());
  assert.deepEqual([link?.userId, link?.email, link?.expiresAtMs], [userId, email, clock.now() + 86_400_000]);
  const recoveries = (had: boolean) => ({
    ...{ kind: 'account_recovered', actor: userId, subject: userId },
    data: { by: 'operator', second_factor_removed: had },
  });
  assert.deepEqual(await changes(organizationId), [recoveries(true)]);
  await recoverAccount(deps, email);
  assert.deepEqual(await changes(organizationId), [recoveries(true), recoveries(false)]);
});
