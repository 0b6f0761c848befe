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

test('the message says why in words a person understands, and how to request an exception', () => {
  const sentence = blockSentence({ requestUrl: 'https://g.example/new?a=1' }, 'input', event);
  assert.match(sentence, /was not sent, because it contains a password, key or other secret\./);
  assert.match(sentence, /https:\/\/g\.example\/new\?a=1&event=evt_1/);
  assert.match(blockSentence({ requestUrl: null }, 'output', event), /was blocked.*Ask your administrator/);
});

test('a missing certificate is the stated cause, and no policy is', () => {
  const sentence = blockSentence({ requestUrl: null }, 'input', { ...event, reason: 'no_certificate' });
  assert.match(sentence, /no certificate .* tries again within seconds/);
  assert.doesNotMatch(sentence, /policy|secret/);
});

test('quotes the note of a policy, but not that of a failed scan', () => {
  const sentence = (part: object) =>
    blockSentence({ requestUrl: null }, 'input', { ...event, note: 'no customer data', ...part });
  assert.match(sentence({ decidedBy: 'policy', reason: 'scan_failed' }), /secret \(no customer data\)\./);
  assert.match(sentence({}), /secret \(no customer data\)\./);
  assert.doesNotMatch(sentence({ reason: 'scan_failed' }), /customer/);
  assert.doesNotMatch(sentence({ decidedBy: 'policy', note: null }), /\(null\)/);
});

test("has the provider's format, or one that most clients read", () => {
  const testProvider = blockReplyOf({ requestUrl: null }, formatByName('anthropic-messages'), 'input', event);
  assert.equal(JSON.parse(testProvider.body).type, 'error');
  const plain = blockReplyOf({ requestUrl: null }, null, 'input', event);
  assert.equal(plain.status, 403);
  assert.match(JSON.parse(plain.body).error.message, /was not sent/);
});

test('each case names its own cause', () => {
  for (const [part, cause] of [
    [{ reason: 'pinned' }, /because the app does not accept the certificate of the agent\. /],
    [{ threatType: null }, /because a policy of your organization does not allow it\. /],
    [{ reason: 'unread' }, /content that cannot be read\. Send it as readable text/],
    [{ threatType: null, note: 'no customer data' }, /does not allow it \(no customer data\)\. /],
  ] as const)
    assert.match(blockSentence({ requestUrl: null }, 'input', { ...event, ...part }), cause);
});

test('the request page is in the message and in a field; without one, in neither', () => {
  const requestUrl = 'https://g.example/new';
  const withPage = blockOf({ requestUrl }, 'input', event);
  assert.match(withPage.message, /https:\/\/g\.example\/new\?event=evt_1 /);
  assert.equal(withPage.dashboardUrl, 'https://g.example/new?event=evt_1');
  assert.equal('dashboardUrl' in blockOf({ requestUrl: null }, 'input', event), false);
});
