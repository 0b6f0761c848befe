import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  administratorSentence,
  protectionSentence,
} from '../../../../apps/desktop/src/agent/status/status-sentences.ts';

test('the sentence reports a protected computer only if apps are directed to the proxy', () => {
  assert.equal(protectionSentence({ proxy_port: null, system_proxy: 'on' }), null);
  assert.match(
    protectionSentence({ proxy_port: 8099, system_proxy: 'on' }) ?? '',
    /^This computer is protected: .*8099/,
  );
  assert.match(
    protectionSentence({ proxy_port: 8099, system_proxy: 'off' }) ?? '',
    /^Only programs started with "agent env" are protected .*8099/,
  );
});

test('the sentence names a few hosts that need an administrator, and counts the rest', () => {
  assert.match(
    administratorSentence(['a.example']),
    /^An administrator must run .* a\.example cannot be inspected/,
  );
  const hosts = Array.from({ length: 7 }, (_, i) => `h${i}.example`);
  assert.match(administratorSentence(hosts), /h4\.example and 2 more cannot be inspected/);
});
