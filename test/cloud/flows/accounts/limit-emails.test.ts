import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodedError } from '@csg/shared/contract';
import { limitEmails } from '../../../../apps/cloud/src/flows/accounts/limit-emails.ts';
import { createLocalLimiter } from '../../../../apps/cloud/src/limits/minute-limiter.ts';
import { createManualClock } from '../../../support/clock.ts';

function openLimit() {
  const clock = createManualClock();
  clock.advance(15_500);
  const limiter = createLocalLimiter(clock.now);
  const send = (kind: 'address' | 'organization' | 'directory', id: string, email: string) =>
    limitEmails({ limiter, clock }, { kind, id }, email).then(
      () => 'sent',
      (error: CodedError) => error,
    );
  return { clock, send };
}

test('one caller causes so many emails a minute, for each kind of caller', async () => {
  for (const [kind, most] of [
    ['address', 10],
    ['organization', 60],
    ['directory', 300],
  ] as const) {
    const { clock, send } = openLimit();
    for (let n = 0; n < most; n++) assert.equal(await send(kind, 'a', `p${n}@example.com`), 'sent');
    const error = (await send(kind, 'a', 'next@example.com')) as CodedError;
    assert.equal(error.code, 'rate_limit_exceeded');
    assert.deepEqual([error.fields, error.headers], [{ retry_after: 45 }, { 'Retry-After': '45' }]);
    assert.equal(await send(kind, 'b', 'next2@example.com'), 'sent', 'another caller');
    clock.advance(45_000);
    assert.equal(await send(kind, 'a', 'next3@example.com'), 'sent', 'the next minute');
  }
});

test('one mailbox gets two emails a minute in any spelling, from all callers of one kind', async () => {
  const { send } = openLimit();
  assert.equal(await send('address', 'a', 'Ada@example.com'), 'sent');
  assert.equal(await send('address', 'b', ' ada@EXAMPLE.com '), 'sent');
  assert.equal(((await send('address', 'c', 'ada@example.com')) as CodedError).code, 'rate_limit_exceeded');
  assert.equal(await send('organization', 'c', 'ada@example.com'), 'sent', 'another kind of caller');
});
