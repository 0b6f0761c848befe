import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { AsnConvert } from '@peculiar/asn1-schema';
import { GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } from '@peculiar/asn1-x509';
import { rootProblem } from '../../../apps/desktop/src/trust/check-root.ts';
import { P256, x509 } from '../../../apps/desktop/src/trust/x509.ts';
import { newAuthority } from '../../support/desktop/certificates.ts';

const HOSTS = ['api.openai.com', '*.claude.ai', 'localhost', '127.0.0.1', '::1'];

test('accepts a root of the agent for its own hosts and hosts below them', async () => {
  for (const hosts of [HOSTS, ['api.openai.com'], ['x.claude.ai', 'localhost'], ['127.0.0.1']]) {
    assert.equal(rootProblem((await newAuthority(hosts)).root.pem, HOSTS), null, hosts.join());
  }
});

test('rejects others: more hosts, no constraint, another use, too long validity, another issuer, two, none', async () => {
  const covers = async (host: string) => rootProblem((await newAuthority([host])).root.pem, HOSTS);
  for (const host of ['bank.example', 'com', 'openai.com', 'evilapi.openai.com.example', '10.0.0.1']) {
    assert.equal(await covers(host), `it covers ${host}`);
  }
  assert.equal(
    rootProblem((await newAuthority(['bank.example'])).root.pem, null),
    null,
    'names do not matter',
  );
  assert.match((await make({})) ?? '', /not limited to hosts/);
  assert.match((await make({ excluded: ['192.0.2.0/24', '2001:db8::/32'] })) ?? '', /not limited to hosts/);
  assert.equal(await make({ excluded: ['0.0.0.0/0', '::/0'] }), null);
  assert.match((await make({ usages: [] })) ?? '', /not limited to web servers/);
  assert.match((await make({ days: 9_000 })) ?? '', /valid for too long/);
  assert.match((await make({ isCa: false })) ?? '', /not self-signed/);
  const { pem, issuerPem } = (await newAuthority(HOSTS)).root;
  assert.match(rootProblem(issuerPem, HOSTS) ?? '', /not self-signed/);
  assert.match(rootProblem(pem + issuerPem, HOSTS) ?? '', /not one certificate/);
  assert.match(rootProblem('-----BEGIN CERTIFICATE-----\nnonsense', HOSTS) ?? '', /cannot be read/);
});

async function make({
  usages = [x509.ExtendedKeyUsage.serverAuth],
  days = 1,
  isCa = true,
  excluded = null as readonly string[] | null,
} = {}): Promise<string | null> {
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const now = Date.now();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Other',
    notBefore: new Date(now),
    notAfter: new Date(now + days * 86_400_000),
    signingAlgorithm: P256,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(isCa, 1, true),
      ...(usages.length > 0 ? [new x509.ExtendedKeyUsageExtension(usages, false)] : []),
      ...(excluded === null ? [] : [limit(excluded)]),
    ],
  });
  return rootProblem(root.toString('pem'), HOSTS);
}

/** Constrained to hosts of the list, without these address ranges. */
function limit(excluded: readonly string[]): x509.Extension {
  const of = (names: readonly GeneralName[]) =>
    new GeneralSubtrees(names.map((base) => new GeneralSubtree({ base })));
  const constraints = new NameConstraints({
    permittedSubtrees: of([new GeneralName({ dNSName: 'api.openai.com' })]),
    excludedSubtrees: of(excluded.map((iPAddress) => new GeneralName({ iPAddress }))),
  });
  return new x509.Extension('2.5.29.30', true, AsnConvert.serialize(constraints));
}
