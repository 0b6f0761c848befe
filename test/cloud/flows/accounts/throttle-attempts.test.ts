import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { throttleAttempts } from '../../../../apps/cloud/src/flows/accounts/throttle-attempts.ts';
import { createSignInThrottle } from '../../../../apps/cloud/src/limits/sign-in-throttle.ts';
import { createManualClock } from '../../../support/clock.ts';

const MINUTE_MS = 60_000;

function openThrottle() {
  const clock = createManualClock();
  const throttle = createSignInThrottle({ addressLimit: 30, now: clock.now });
  const attempt = (account: string, address: string, isKnown: boolean, error?: Error) =>
    throttleAttempts(throttle, { account, address, isKnown }, async () => {
      if (error !== undefined) throw error;
      return 'in';
    }).catch((failure: unknown) => (failure === error ? 'out' : failure));
  return { clock, attempt };
}

const WRONG = new CodedError('wrong_credentials');

test('ten wrong attempts at an account from one place lock that place out, in any spelling', async () => {
  const { clock, attempt } = openThrottle();
  for (let n = 0; n < 10; n++)
    assert.equal(await attempt('Ada@example.com', '192.0.2.1', false, WRONG), 'out');
  const locked = await attempt(' ada@EXAMPLE.com', '192.0.2.1', false);
  assert.ok(locked instanceof CodedError);
  assert.deepEqual(
    [locked.code, locked.fields, locked.headers],
    ['rate_limit_exceeded', { retry_after: 60 }, { 'Retry-After': '60' }],
  );
  assert.match(locked.message, /Wait a minute, or/);
  assert.equal(await attempt('ada@example.com', '192.0.2.2', false), 'in', 'another place');
  assert.equal(await attempt('bob@example.com', '192.0.2.1', false), 'in', 'another account');
  assert.equal(await attempt('ada@example.com', '192.0.2.1', true), 'in', 'a known browser');
  clock.advance(MINUTE_MS);
  for (let n = 0; n < 10; n++) await attempt('ada@example.com', '192.0.2.1', false, WRONG);
  const longer = await attempt('ada@example.com', '192.0.2.1', false);
  assert.match((longer as Error).message, /Wait 2 minutes, or/);
});

test('a known browser is counted for itself alone', async () => {
  const { attempt } = openThrottle();
  for (let n = 0; n < 10; n++) await attempt('ada@example.com', '192.0.2.1', true, WRONG);
  const locked = await attempt('ada@example.com', '192.0.2.1', true);
  assert.equal((locked as CodedError).code, 'rate_limit_exceeded');
  assert.equal(await attempt('ada@example.com', '192.0.2.1', false), 'in');
});

test('one place that tries many accounts, and one account tried from everywhere, are locked out', async () => {
  const { attempt } = openThrottle();
  for (let n = 0; n < 30; n++) await attempt(`a${n}@example.com`, '192.0.2.1', false, WRONG);
  assert.equal(
    ((await attempt('new@example.com', '192.0.2.1', false)) as CodedError).code,
    'rate_limit_exceeded',
  );
  for (let n = 0; n < 100; n++) await attempt('ada@example.com', `198.51.100.${n}`, false, WRONG);
  const locked = await attempt('ada@example.com', '203.0.113.1', false);
  assert.equal((locked as CodedError).code, 'rate_limit_exceeded');
});

test('only a wrong password or code counts, and what is right does not', async () => {
  const { attempt } = openThrottle();
  const others = [new CodedError('second_factor_required'), new Error('no database'), undefined];
  for (let n = 0; n < 30; n++) await attempt('ada@example.com', '192.0.2.1', false, others[n % 3]);
  for (let n = 0; n < 9; n++) {
    await attempt('ada@example.com', '192.0.2.1', false, n % 2 === 0 ? WRONG : new CodedError('wrong_code'));
  }
  assert.equal(await attempt('ada@example.com', '192.0.2.1', false), 'in');
  await attempt('ada@example.com', '192.0.2.1', false, WRONG);
  const locked = await attempt('ada@example.com', '192.0.2.1', false);
  assert.equal((locked as CodedError).code, 'rate_limit_exceeded');
});

test('an attempt counts before it is verified, so that concurrent ones are not free', async () => {
  const { attempt } = openThrottle();
  const results = await Promise.all(
    Array.from({ length: 15 }, () => attempt('ada@example.com', '192.0.2.1', false, WRONG)),
  );
  assert.equal(results.filter((result) => result === 'out').length, 10);
});
