import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../../apps/cloud/src/config/parse-config.ts';

test('an empty environment gives the documented defaults', () => {
  const parsed = parseConfig({ PORT: '' });
  assert.ok(parsed.ok);
  assert.equal(parsed.config.host, '127.0.0.1');
  assert.equal(parsed.config.port, 8787);
  assert.equal(parsed.config.dataDir, '.data');
  assert.equal(parsed.config.edgeLimitPerMinute, 600);
  assert.equal(parsed.config.upstreamTimeoutMs, 570_000);
  assert.deepEqual(parsed.config.corsOrigins, []);
  assert.ok(Object.isFrozen(parsed.config));
});

test('all problems are reported together, each with the name of its variable', () => {
  const parsed = parseConfig({
    PORT: 'eighty',
    DATABASE_URL: 'mysql://x',
    LOG_LEVEL: 'loud',
    CORS_ORIGINS: 'https://a.example, b.example',
  });
  assert.ok(!parsed.ok);
  assert.deepEqual(parsed.problems.map((fault) => fault.split(' ')[0]).sort(), [
    'CORS_ORIGINS',
    'DATABASE_URL',
    'LOG_LEVEL',
    'PORT',
  ]);
  assert.match(parsed.problems.join('\n'), /PORT must be a whole number from 0 to 65535, not "eighty"/);
});

test('addresses lose their trailing slash, origins are read as a list', () => {
  const parsed = parseConfig({
    PUBLIC_URL: 'https://gw.example/',
    CORS_ORIGINS: 'https://a.example/,https://b.example',
  });
  assert.ok(parsed.ok);
  assert.equal(parsed.config.publicUrl, 'https://gw.example');
  assert.deepEqual(parsed.config.corsOrigins, ['https://a.example', 'https://b.example']);
});

test('trust in a tenant needs an issuer of one tenant', () => {
  const provider = { OIDC_CLIENT_ID: 'gateway', OIDC_ALLOWED_DOMAINS: 'corp.example' };
  const microsoft = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`;
  const problemsOf = (env: Record<string, string>) =>
    (parseConfig({ ...provider, ...env }) as { problems?: string[] }).problems ?? [];
  const own = microsoft('72f988bf-86f1-41af-91ab-2d7cd011db47');
  assert.deepEqual(problemsOf({ OIDC_ISSUER: own, OIDC_EMAIL_TRUST: 'tenant' }), []);
  assert.deepEqual(problemsOf({ OIDC_ISSUER: microsoft('common') }), []);
  for (const tenant of ['common', 'organizations', 'consumers', '9188040d-6c67-4c5b-b112-36a304b66dad']) {
    const problems = problemsOf({ OIDC_ISSUER: microsoft(tenant), OIDC_EMAIL_TRUST: 'tenant' });
    assert.match(String(problems), /^OIDC_EMAIL_TRUST must be verified for this OIDC_ISSUER/, tenant);
  }
  const wrong = problemsOf({ OIDC_ISSUER: own, OIDC_EMAIL_TRUST: 'all' });
  assert.deepEqual(wrong, ['OIDC_EMAIL_TRUST must be verified or tenant, not "all"']);
});

test('several workers need a shared database and Redis', () => {
  const shared = { DATABASE_URL: 'postgres://127.0.0.1/gateway', REDIS_URL: 'redis://127.0.0.1' };
  const parsed = parseConfig({ ...shared, WORKERS: '4' });
  assert.ok(parsed.ok);
  assert.equal(parsed.config.workers, 4);
  for (const missing of Object.keys(shared)) {
    const { problems } = parseConfig({ ...shared, [missing]: '', WORKERS: '4' }) as { problems?: string[] };
    assert.match(String(problems), /^WORKERS above 1 requires DATABASE_URL and REDIS_URL/);
  }
  assert.ok(parseConfig({ WORKERS: '1' }).ok);
  for (const WORKERS of ['0', '-1', '2.5', '65', 'many']) {
    const { problems } = parseConfig({ ...shared, WORKERS }) as { problems?: string[] };
    assert.match(String(problems), /^WORKERS must be a whole number from 1 to 64, not /, WORKERS);
  }
});
