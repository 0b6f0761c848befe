import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidationError } from '@csg/shared/contract';
import { checkPassword, passwordProblem } from '../../../../apps/cloud/src/flows/accounts/check-password.ts';

const ABOUT = ['ada.lovelace@example.com', 'Ada Lovelace', null];

test('accepts long passphrases of any kinds of characters', async () => {
  for (const password of [
    'a long quiet river bends',
    'correcthorsebatterystaple',
    'vier Ziegen tanzen Walzer',
    '四頭の山羊がゆっくり歩く夜の道',
    'x7#kQ2!mPz4&',
    'adalovelacex7#kQ2!m',
    '    spaces are characters    ',
  ]) {
    assert.equal(await passwordProblem(password, ABOUT), null, password);
  }
});

test('rejects short, overlong, common, regular and personal passwords with a reason', async () => {
  for (const [password, reason] of [
    ['short', /at least 12 characters/],
    ['\u{1F600}'.repeat(11), /at least 12 characters/],
    ['x'.repeat(257), /at most 256 characters/],
    ['passwordpassword', /easy to guess/],
    ['Password1234!', /easy to guess/],
    ['qwertyuiop12', /easy to guess/],
    ['aaaaaaaaaaaaaaaa', /easy to guess/],
    ['abcdefghijklmnop', /easy to guess/],
    ['adalovelacex7#kQ2!', /too similar to your name/],
    ['adalovelace2024', /too similar to your name/],
    ['ada.lovelace@example.com', /too similar to your name/],
  ] as const) {
    assert.match((await passwordProblem(password, ABOUT)) ?? 'none', reason, password);
  }
});

test('names the field of a rejected password, and never the password itself', async () => {
  await assert.rejects(checkPassword('new_password', 'passwordpassword'), (error) => {
    assert.ok(error instanceof ValidationError);
    assert.deepEqual(error.detail[0]?.loc, ['body', 'new_password']);
    assert.ok(!JSON.stringify(error.detail).includes('passwordpassword'));
    return true;
  });
});
