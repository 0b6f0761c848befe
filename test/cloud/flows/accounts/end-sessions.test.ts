import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { endOtherSessions, endSession } from '../../../../apps/cloud/src/flows/accounts/end-sessions.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

test('one session is ended and recorded; one of another person is none', async (t) => {
  const { deps, storage, addPerson, signIn, changes } = await openAccountTestEnv(t);
  const { userId, organizationId } = await addPerson();
  const { person } = await signIn(userId);
  const { person: elsewhere } = await signIn(userId);
  const { person: stranger } = await signIn((await addPerson()).userId);
  await assert.rejects(
    endSession(deps, stranger, elsewhere.sessionId),
    (error) => error instanceof CodedError && error.code === 'not_found',
  );
  assert.equal((await storage.sessions.list(userId)).length, 2);
  await endSession(deps, person, elsewhere.sessionId);
  assert.deepEqual(
    (await storage.sessions.list(userId)).map(({ id }) => id),
    [person.sessionId],
  );
  assert.deepEqual(await changes(organizationId), [
    { kind: 'sessions_ended', actor: userId, subject: userId, data: { count: 1 } },
  ]);
});

test('all other sessions end with the browsers that were known; nothing is recorded if there were none', async (t) => {
  const { deps, storage, clock, addPerson, signIn, changes } = await openAccountTestEnv(t);
  const { userId, organizationId } = await addPerson();
  const { person, knownToken } = await signIn(userId);
  assert.equal(await endOtherSessions(deps, person), 0);
  assert.equal(await storage.knownBrowsers.isKnown(userId, knownToken, clock.now()), false);
  assert.deepEqual(await changes(organizationId), []);
  await signIn(userId);
  await signIn(userId);
  assert.equal(await endOtherSessions(deps, person), 2);
  assert.deepEqual(
    (await storage.sessions.list(userId)).map(({ id }) => id),
    [person.sessionId],
  );
  assert.deepEqual(await changes(organizationId), [
    { kind: 'sessions_ended', actor: userId, subject: userId, data: { count: 2 } },
  ]);
});
