import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { makePac, pacAddress, pacDataUrl } from '../../../apps/desktop/src/network/make-pac.ts';

const options = {
  port: 4711,
  hosts: ['api.openai.com', '*.claude.ai'],
  bypassHosts: ['free.claude.ai'],
  failClosed: false,
  otherwise: 'DIRECT',
};
/** Evaluates it as a browser does, without the helpers that not every browser has. */
const ask = (pac: string, host: string): string =>
  runInNewContext(`${pac}; FindProxyForURL('https://h/', host)`, { host });

test('AI hosts go to the proxy, with a fallback if it is dead', () => {
  const pac = makePac(options);
  assert.equal(ask(pac, 'api.openai.com'), 'PROXY 127.0.0.1:4711; DIRECT');
  assert.equal(ask(pac, 'API.OpenAI.com'), 'PROXY 127.0.0.1:4711; DIRECT');
  assert.equal(ask(pac, 'x.claude.ai'), 'PROXY 127.0.0.1:4711; DIRECT');
});

test('everything else takes the same route as before', () => {
  const pac = makePac({ ...options, otherwise: 'PROXY corp.example:8080' });
  for (const host of [
    'bank.example',
    'claude.ai',
    'evilclaude.ai',
    'free.claude.ai',
    'api.openai.com.evil.example',
  ]) {
    assert.equal(ask(pac, host), 'PROXY corp.example:8080', host);
  }
});

test('the company’s own file decides the route of everything else, and the fallback', () => {
  const companyPac = `var here = 'one';
    function FindProxyForURL(url, host) { return host === 'intranet' ? 'DIRECT' : 'PROXY ' + here + '.example:1'; }`;
  const pac = makePac({ ...options, otherwise: { upstreamPac: companyPac } });
  assert.equal(ask(pac, 'intranet'), 'DIRECT');
  assert.equal(ask(pac, 'bank.example'), 'PROXY one.example:1');
  assert.equal(ask(pac, 'api.openai.com'), 'PROXY 127.0.0.1:4711; PROXY one.example:1');
  assert.equal(
    ask(makePac({ ...options, failClosed: true, otherwise: { upstreamPac: companyPac } }), 'api.openai.com'),
    'PROXY 127.0.0.1:4711',
  );
});

test('failing closed leaves no fallback, and the file does not come from the agent', () => {
  const pac = makePac({ ...options, failClosed: true });
  assert.equal(ask(pac, 'api.openai.com'), 'PROXY 127.0.0.1:4711');
  const url = pacDataUrl(pac);
  assert.match(url, /^data:.*content-security-agent/);
  assert.equal(Buffer.from(url.split('base64,')[1] ?? '', 'base64').toString(), pac);
});

test('a host cannot inject code', () => {
  const pac = makePac({ ...options, hosts: ['"];evil();//'] });
  assert.equal(ask(pac, 'bank.example'), 'DIRECT');
});

test('a changed file has another URL, so that browsers read it; the same file keeps its URL', () => {
  const address = pacAddress(makePac(options), 4711);
  assert.match(address, /^http:\/\/127\.0\.0\.1:4711\/proxy\.pac\?v=[0-9a-f]{12}#content-security-agent$/);
  assert.equal(pacAddress(makePac({ ...options }), 4711), address);
  assert.notEqual(
    pacAddress(makePac({ ...options, hosts: [...options.hosts, 'new.example'] }), 4711),
    address,
  );
});
