import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatByName } from '@csg/shared/providers';
import { blockOf, blockReplyOf, blockSentence } from '../../../apps/desktop/src/inspect/block-reply.ts';

const event = {
  eventId: 'evt_1',
  threatType: 'secret_leak' as const,
  decidedBy: 'cloud' as const,
  note: null,
  reason: null,
};

test('a sentence a person understands, with a way to ask', () => {
  const sentence = blockSentence({ requestUrl: 'https://g.example/new?a=1' }, 'input', event);
  assert.match(sentence, /was not sent, because it contains a password, key or other secret\./);
  assert.match(sentence, /https:\/\/g\.example\/new\?a=1&event=evt_1/);
  assert.match(blockSentence({ requestUrl: null }, 'output', event), /held back.*Ask your administrator/);
});

test('without a certificate it says that this passes, and blames no policy', () => {
  const sentence = blockSentence({ requestUrl: null }, 'input', { ...event, reason: 'no_certificate' });
  assert.match(sentence, /no certificate .* tries again within seconds/);
  assert.doesNotMatch(sentence, /policy|secret/);
});

test('the note of a policy is quoted; one of a failed scan is not', () => {
  const sentence = (part: object) =>
    blockSentence({ requestUrl: null }, 'input', { ...event, note: 'no customer data', ...part });
  assert.match(sentence({ decidedBy: 'policy', reason: 'scan_failed' }), /secret \(no customer data\)\./);
  assert.match(sentence({}), /secret \(no customer data\)\./);
  assert.doesNotMatch(sentence({ reason: 'scan_failed' }), /customer/);
  assert.doesNotMatch(sentence({ decidedBy: 'policy', note: null }), /\(null\)/);
});

test("in the provider's shape, or in one that most clients read", () => {
  const testProvider = blockReplyOf({ requestUrl: null }, formatByName('anthropic-messages'), 'input', event);
  assert.equal(JSON.parse(testProvider.body).type, 'error');
  const plain = blockReplyOf({ requestUrl: null }, null, 'input', event);
  assert.equal(plain.status, 403);
  assert.match(JSON.parse(plain.body).error.message, /was not sent/);
});

test('each case names its own cause', () => {
  for (const [part, cause] of [
    [{ reason: 'pinned' }, /because the app does not accept the certificate of the agent\. /],
    [{ threatType: null }, /because a policy of your organisation does not allow it\. /],
    [{ threatType: null, note: 'no customer data' }, /does not allow it \(no customer data\)\. /],
  ] as const)
    assert.match(blockSentence({ requestUrl: null }, 'input', { ...event, ...part }), cause);
});

test('where to ask is in the sentence, and beside it for programs; without a page in neither', () => {
  const requestUrl = 'https://g.example/new';
  const withPage = blockOf({ requestUrl }, 'input', event);
  assert.match(withPage.message, /https:\/\/g\.example\/new\?event=evt_1 /);
  assert.equal(withPage.dashboardUrl, requestUrl);
  assert.equal('dashboardUrl' in blockOf({ requestUrl: null }, 'input', event), false);
});
