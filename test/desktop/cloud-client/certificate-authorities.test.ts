import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCACertificates } from 'node:tls';
import { certificateAuthorities } from '../../../apps/desktop/src/cloud-client/certificate-authorities.ts';

test("Node's own roots are always included, each once", () => {
  const all = certificateAuthorities();
  assert.ok(getCACertificates('default').every((pem) => all.includes(pem)));
  assert.equal(new Set(all).size, all.length);
});
