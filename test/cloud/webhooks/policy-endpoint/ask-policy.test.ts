import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyVerdictRequest } from '@csg/shared/contract';
import {
  createPolicyAsker,
  readAnswer,
} from '../../../../apps/cloud/src/webhooks/policy-endpoint/ask-policy.ts';

describe('the answer of a policy endpoint', () => {
  test('verdicts, reasons and what is none of both', () => {
    assert.deepEqual(readAnswer('{"verdict":"allow"}'), { verdict: 'allow', reason: null });
    assert.deepEqual(readAnswer('{"verdict":"block","reason":"no"}'), { verdict: 'block', reason: 'no' });
    assert.deepEqual(readAnswer('{"verdict":"redact","redacted_content":"x","reason":7}'), {
      verdict: 'redact',
      reason: null,
      redactedContent: 'x',
    });
    for (const odd of ['"BLOCK"', '"deny"', 'null', '7', '{}', '["block"]']) {
      assert.deepEqual(readAnswer(`{"verdict":${odd}}`), { verdict: 'invalid' }, odd);
    }
    for (const odd of ['', '{', '[]', 'null', '7', '"block"', '{"verdict":"redact"}', '<html>']) {
      assert.equal(readAnswer(odd).verdict, 'error', odd);
    }
    const long = readAnswer(`{"verdict":"block","reason":"${'x'.repeat(9_000)}"}`);
    assert.equal(long.verdict === 'block' && long.reason?.length, 500);
  });

  test('inner addresses are not asked', async () => {
    const asker = createPolicyAsker();
    const question: PolicyVerdictRequest = {
      content: 'x',
      direction: 'input',
      model: '',
      event_id: 'e',
      threats_detected: [],
    };
    for (const url of ['http://127.0.0.1/', 'http://169.254.169.254/', 'ftp://example.com/', 'x']) {
      const answer = await asker.ask({ url, timeoutMs: 2_000, secrets: [] }, question);
      assert.equal(answer.verdict, 'error', url);
    }
    await asker.close();
  });
});
