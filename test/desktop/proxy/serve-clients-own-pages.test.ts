import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isOwnRequest,
  pageFor,
  plainTarget,
  probeReply,
} from '../../../apps/desktop/src/proxy/serve-clients.ts';
import { testConfig } from '../../support/desktop/test-stack.ts';

test('an absolute URL has a target; everything else is meant for the proxy', () => {
  assert.deepEqual(plainTarget('http://Plain.Example:8080/a?b=c'), {
    target: { host: 'plain.example', port: 8080, isTls: false },
    path: '/a?b=c',
  });
  assert.equal(plainTarget('ws://[::1]/x')?.target.host, '::1');
  assert.equal(plainTarget('http://plain.example')?.target.port, 80);
  for (const address of ['/', '/proxy.pac', '*', '', 'https://plain.example/', 'ftp://h/']) {
    assert.equal(plainTarget(address), null, address);
  }
});

test('serves the PAC file to this computer only, and only if there is one', () => {
  const config = testConfig({ pac: '// rules' });
  const page = (path: string, host: string, of = config) => pageFor(path, { host }, of);
  assert.deepEqual(
    [page('/proxy.pac', '127.0.0.1:9').body, page('/proxy.pac', 'localhost:9').status],
    ['// rules', 200],
  );
  assert.equal(page('/proxy.pac?v=1', '127.0.0.1:9').body, '// rules', 'with its version');
  assert.equal(page('/proxy.pac', 'evil.example:9').status, 404);
  assert.equal(page('/other', '127.0.0.1:9').status, 404);
  assert.equal(page('/proxy.pac', '127.0.0.1:9', testConfig()).status, 404);
});

test('recognizes its own requests by the token, and returns it to a probe', () => {
  const config = testConfig();
  assert.ok(isOwnRequest({ 'x-content-security-agent': config.loopToken }, config));
  assert.ok(!isOwnRequest({ 'x-content-security-agent': 'another' }, config));
  assert.ok(!isOwnRequest({}, config));
  assert.equal(probeReply(config).body, config.loopToken);
});
