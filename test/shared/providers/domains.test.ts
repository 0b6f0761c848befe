import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AI_DOMAINS, AI_HOSTS } from '@csg/shared/providers';

/** Sites that people also use for other things than AI: a stolen key must not cover any of these. */
const SHARED = [
  'accounts.google.com',
  'mail.google.com',
  'storage.googleapis.com',
  'login.microsoftonline.com',
  'outlook.office.com',
  'portal.azure.com',
  'keyvault.azure.com',
  's3.amazonaws.com',
  'github.com',
  'api.github.com',
  'raw.githubusercontent.com',
  'x.com',
  'facebook.com',
  'www.nvidia.com',
];

test('no domain covers a site that people use for other things, or is a top-level domain', () => {
  for (const domain of AI_DOMAINS) {
    assert.ok(domain.includes('.'), domain);
    assert.equal(domain, domain.toLowerCase());
    for (const site of SHARED)
      assert.ok(site !== domain && !site.endsWith(`.${domain}`), `${domain}: ${site}`);
  }
  assert.deepEqual(AI_DOMAINS, [...new Set(AI_DOMAINS)].sort());
});

test('most inspected hosts are below a listed domain, so that new hosts of their provider are, too', () => {
  const regional = /-?aiplatform\.googleapis\.com$|^bedrock-runtime\./;
  const own = AI_HOSTS.map((host) => host.replace(/^\*\./, '')).filter((host) => !regional.test(host));
  const outside = own.filter((host) => !AI_DOMAINS.some((domain) => `.${host}`.endsWith(`.${domain}`)));
  // Each is below a domain that its provider also uses for other things.
  assert.deepEqual(outside.toSorted(), [
    'aistudio.google.com',
    'cloudcode-pa.googleapis.com',
    'copilot-proxy.githubusercontent.com',
    'generativelanguage.googleapis.com',
    'integrate.api.nvidia.com',
    'm365.cloud.microsoft',
  ]);
});
