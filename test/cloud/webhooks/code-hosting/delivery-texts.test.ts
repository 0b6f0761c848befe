import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  deliveryTexts,
  repositoryOf,
} from '../../../../apps/cloud/src/webhooks/code-hosting/delivery-texts.ts';

describe('texts of a delivery', () => {
  const texts = (event: string, payload: unknown) =>
    deliveryTexts(event, payload).map(({ path, text }) => [path, text]);

  test('are read by event, with their positions', () => {
    assert.deepEqual(
      texts('push', {
        commits: [{ message: 'one' }, { message: 'two' }, { message: 'two' }, { id: 1 }],
        head_commit: { message: 'two' },
      }),
      [
        ['/commits/0/message', 'one'],
        ['/commits/1/message', 'two'],
      ],
    );
    const pull = { title: 'A', body: 'B' };
    assert.deepEqual(texts('pull_request', { action: 'opened', pull_request: pull }), [
      ['/pull_request/title', 'A'],
      ['/pull_request/body', 'B'],
    ]);
    assert.deepEqual(texts('issue_comment', { action: 'created', comment: { body: 'C' } }), [
      ['/comment/body', 'C'],
    ]);
    assert.deepEqual(texts('issues', { action: 'edited', issue: { title: 'T', body: null } }), [
      ['/issue/title', 'T'],
    ]);
  });

  test('are none if nothing was written anew, or the event is unknown', () => {
    for (const [event, payload] of [
      ['pull_request', { action: 'labeled', pull_request: { title: 'A' } }],
      ['issues', { action: 'closed', issue: { title: 'A' } }],
      ['star', { action: 'created' }],
      ['constructor', {}],
      ['push', null],
      ['push', { commits: 7, head_commit: 'x' }],
      ['issues', []],
    ] as const) {
      assert.deepEqual(texts(event, payload), [], event);
    }
  });

  test('come with their repository, if there is one', () => {
    assert.equal(repositoryOf({ repository: { full_name: 'acme/shop' } }), 'acme/shop');
    for (const odd of [null, 7, [], {}, { repository: null }, { repository: { full_name: 7 } }]) {
      assert.equal(repositoryOf(odd), null);
    }
  });
});
