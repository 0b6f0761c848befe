import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError, ValidationError } from '@csg/shared/contract';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../../../apps/cloud/src/flows/accounts/manage-second-factor.ts';
import { consumeCode } from '../../../../apps/cloud/src/flows/accounts/second-factor.ts';
import { openAccountTestEnv, PASSWORD } from '../../../support/account-test-env.ts';
import { oneTimeCode } from '../../../support/one-time-code.ts';

const STEP_MS = 30_000;
const code =
  (expected: string, message = /./) =>
  (error: unknown) =>
    error instanceof CodedError && error.code === expected && message.test(error.message);

async function openFactor(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { userId, email, organizationId } = await env.addPerson();
  const { person } = await env.signIn(userId);
  const kinds = async () => (await env.changes(organizationId)).map(({ kind }) => kind);
  const subjects = async () => (await env.emailsTo(email)).map(({ subject }) => subject);
  const withFactor = { ...person, hasSecondFactor: true };
  /** Sets the factor up; the codes of later steps are valid. */
  const setUp = async () => {
    const { secret } = await beginSecondFactor(env.deps, person, PASSWORD);
    const codes = await confirmSecondFactor(env.deps, person, oneTimeCode(secret, env.clock.now()));
    const next = () => {
      env.clock.advance(STEP_MS);
      return oneTimeCode(secret, env.clock.now());
    };
    return { secret, codes, next };
  };
  return { ...env, userId, email, person, withFactor, kinds, subjects, setUp };
}

test('a factor counts once a code is confirmed: other sessions end, it is recorded, and an email says so', async (t) => {
  const { deps, storage, clock, userId, email, person, signIn, kinds, subjects } = await openFactor(t);
  await signIn(userId);
  await assert.rejects(beginSecondFactor(deps, person, 'wrong'), ValidationError);
  assert.equal(await storage.secondFactors.get(userId), null);
  const { secret, otpauth_url: url } = await beginSecondFactor(deps, person, PASSWORD);
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.ok(new URL(url).pathname.includes(encodeURIComponent(email)), url);
  assert.equal(new URL(url).searchParams.get('secret'), secret);
  await assert.rejects(confirmSecondFactor(deps, person, '000000'), code('wrong_code'));
  assert.equal((await storage.secondFactors.get(userId))?.confirmedAtMs, null);
  const codes = await confirmSecondFactor(deps, person, oneTimeCode(secret, clock.now()));
  assert.equal(new Set(codes).size, 10);
  for (const one of codes) assert.match(one, /^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
  assert.equal((await storage.secondFactors.get(userId))?.confirmedAtMs, clock.now());
  assert.equal(await storage.secondFactors.countRecoveryCodes(userId), 10);
  assert.deepEqual(
    (await storage.sessions.list(userId)).map(({ id }) => id),
    [person.sessionId],
  );
  assert.deepEqual(await kinds(), ['second_factor_added']);
  assert.deepEqual(await subjects(), ['Two-factor authentication was enabled']);
});

test('there is one factor: a second one is not begun, and none is confirmed twice', async (t) => {
  const { deps, person, setUp } = await openFactor(t);
  const { next } = await setUp();
  await assert.rejects(beginSecondFactor(deps, person, PASSWORD), code('invalid_state', /already enabled/));
  await assert.rejects(confirmSecondFactor(deps, person, next()), code('invalid_state', /Start the setup/));
});

test('a code of the app counts one step before and after its time, and once', async (t) => {
  const { storage, clock, userId, setUp } = await openFactor(t);
  const { secret } = await setUp();
  const consume = (offset: number) =>
    consumeCode(storage, userId, oneTimeCode(secret, clock.now() + offset * STEP_MS), clock.now());
  clock.advance(10 * STEP_MS);
  for (const offset of [-2, 2]) await assert.rejects(consume(offset), code('wrong_code'), String(offset));
  assert.equal(await consume(-1), 'app');
  assert.equal(await consume(1), 'app');
  for (const offset of [-1, 0, 1])
    await assert.rejects(consume(offset), code('wrong_code'), 'used, or older');
  clock.advance(2 * STEP_MS);
  const spaced = oneTimeCode(secret, clock.now()).replace(/^.../, '$& ');
  assert.equal(await consumeCode(storage, userId, spaced, clock.now()), 'app');
  await assert.rejects(consumeCode(storage, 'usr_none', spaced, clock.now()), code('wrong_code'));
});

test('a recovery code counts once in any spelling; new ones end those of before and are recorded', async (t) => {
  const { deps, storage, clock, userId, person, withFactor, kinds, setUp } = await openFactor(t);
  const { codes, next } = await setUp();
  const consume = (one: string) => consumeCode(storage, userId, one, clock.now());
  assert.equal(await consume(codes[0]!.toLowerCase().replace('-', ' ')), 'recovery');
  await assert.rejects(consume(codes[0]!), code('wrong_code'));
  await assert.rejects(renewRecoveryCodes(deps, person, next()), code('invalid_state', /not enabled/));
  const renewed = await renewRecoveryCodes(deps, withFactor, next());
  assert.equal(await storage.secondFactors.countRecoveryCodes(userId), 10);
  await assert.rejects(consume(codes[1]!), code('wrong_code'));
  assert.equal(await consume(renewed[0]!), 'recovery');
  assert.deepEqual(await kinds(), ['second_factor_added', 'recovery_codes_renewed']);
});

test('removal takes the password and a code; it is recorded, and an email says so', async (t) => {
  const { deps, storage, userId, person, withFactor, kinds, subjects, setUp } = await openFactor(t);
  const remove = (one: string, current_password = PASSWORD, by = withFactor) =>
    removeSecondFactor(deps, by, { current_password, code: one });
  const { next } = await setUp();
  await assert.rejects(remove(next(), PASSWORD, person), code('invalid_state', /not enabled/));
  await assert.rejects(remove(next(), 'wrong'), ValidationError);
  await assert.rejects(remove('000000'), code('wrong_code'));
  assert.notEqual(await storage.secondFactors.get(userId), null);
  await remove(next());
  assert.equal(await storage.secondFactors.get(userId), null);
  assert.equal(await storage.secondFactors.countRecoveryCodes(userId), 0);
  assert.deepEqual(await kinds(), ['second_factor_added', 'second_factor_removed']);
  assert.deepEqual((await subjects()).toSorted(), [
    'Two-factor authentication was disabled',
    'Two-factor authentication was enabled',
  ]);
});
