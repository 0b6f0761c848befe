import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import {
  createLeafIssuer,
  LEAF_LIFE_MS,
  LEAF_RENEW_MS,
} from '../../../apps/desktop/src/trust/leaf-issuer.ts';
import { createRoot } from '../../../apps/desktop/src/trust/root-certificate.ts';

test('a leaf is reused while valid, and renewed before it expires', async () => {
  const start = Date.UTC(2026, 0, 1);
  const root = await createRoot(['*.example'], start);
  const issuer = await createLeafIssuer(root);
  const first = await issuer.leafFor('A.example', start);
  assert.equal(await issuer.leafFor('a.example', start + LEAF_LIFE_MS / 2), first);
  const later = start + LEAF_LIFE_MS - LEAF_RENEW_MS;
  assert.notEqual(await issuer.leafFor('a.example', later), first);
  const setBack = start - 48 * 3_600_000;
  const valid = new X509Certificate((await issuer.leafFor('a.example', setBack)).chain);
  assert.ok(valid.validFromDate.getTime() <= setBack, 'valid by a clock that was set back, too');
  const leaf = new X509Certificate(first.chain);
  assert.ok(
    leaf.validToDate.getTime() - leaf.validFromDate.getTime() <= LEAF_LIFE_MS,
    'a day, skew included',
  );
  assert.equal(leaf.checkHost('a.example'), 'a.example');
  assert.ok(leaf.verify(new X509Certificate(root.issuerPem).publicKey));
  assert.equal(leaf.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
});

test('issues for names longer than a common name may be, and for addresses', async () => {
  const issuer = await createLeafIssuer(await createRoot(['*.example', '::1'], Date.now()));
  const long = `${'a'.repeat(60)}.${'b'.repeat(40)}.example`;
  assert.equal(new X509Certificate((await issuer.leafFor(long, Date.now())).chain).checkHost(long), long);
  assert.equal(new X509Certificate((await issuer.leafFor('::1', Date.now())).chain).checkIP('::1'), '::1');
});

test('concurrent requests all get a certificate, even with a clock ten years off', async () => {
  const start = Date.UTC(2026, 0, 1);
  const issuer = await createLeafIssuer(await createRoot(['*.example'], start));
  const hosts = Array.from({ length: 200 }, (_, index) => `h${index}.example`);
  const leaves = await Promise.all(hosts.map((host) => issuer.leafFor(host, start)));
  const serials = leaves.map(({ chain }) => new X509Certificate(chain).serialNumber);
  assert.equal(new Set(serials).size, hosts.length);
  assert.equal(new X509Certificate(leaves[199]!.chain).checkHost('h199.example'), 'h199.example');
  for (const years of [-10, 10]) {
    const nowMs = start + years * 365 * 24 * 3_600_000;
    const { validFromDate, validToDate } = new X509Certificate(
      (await issuer.leafFor('h0.example', nowMs)).chain,
    );
    assert.ok(validFromDate.getTime() <= nowMs && validToDate.getTime() > nowMs, `${years} years`);
  }
});

test('a closed issuer issues none of the pending ones', async () => {
  const root = await createRoot(['*.example'], Date.now());
  const issuer = await createLeafIssuer(root);
  const other = await createLeafIssuer(root);
  const made: string[] = [];
  const hosts = Array.from({ length: 20 }, (_, index) => `h${index}.example`);
  const first = issuer.leafFor('first.example', Date.now());
  for (const host of hosts) void issuer.leafFor(host, Date.now()).then(() => made.push(host));
  issuer.close();
  await first;
  // The newest is issued first: older requests get their turn only while others are issued elsewhere.
  await issuer.leafFor('next.example', Date.now());
  for (const host of hosts) await other.leafFor(host, Date.now());
  assert.deepEqual(made, []);
});
