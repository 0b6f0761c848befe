import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameWords } from '../../../shared/text/index.ts';

test('the words of a name are the same in any naming style', () => {
  for (const name of ['sendEmail', 'send_email', 'SendEmail', 'send-email', 'send.email'])
    assert.deepEqual(nameWords(name), ['send', 'email'], name);
  assert.deepEqual(nameWords('ls'), ['ls']);
  assert.deepEqual(nameWords('__'), []);
  assert.equal(nameWords('a_'.repeat(100_000)).length, 100, 'a name has a limit');
});
