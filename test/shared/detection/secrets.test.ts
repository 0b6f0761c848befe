import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSecrets } from '../../../shared/detection/secrets/find-secrets.ts';
import { SECRET_KINDS } from '../../../shared/detection/secrets/kinds.ts';
import { createRandom } from '../../support/random.ts';
import { sampleOf } from '../../support/sample-of.ts';
import { textOf } from '../../support/text-of.ts';

test('there are at least 150 kinds, each with a unique id', () => {
  assert.ok(SECRET_KINDS.length >= 150, `${SECRET_KINDS.length}`);
  assert.equal(new Set(SECRET_KINDS.map((kind) => kind.id)).size, SECRET_KINDS.length);
});

test('finds a generated key of every kind completely', () => {
  const random = createRandom(5);
  for (const kind of SECRET_KINDS) {
    const key = sampleOf(kind.form, (below) => random.below(below));
    const text = `export API_KEY=${key}\nnext line`;
    const found = findSecrets(textOf(text)).map((span) => text.slice(span.start, span.end));
    assert.ok(
      found.some((value) => value === key),
      `${kind.id}: ${key} -> ${found.join(' | ')}`,
    );
  }
});

test('ignores texts that only look like a key', () => {
  for (const text of [
    'mydapi1234567890abcdef1234567890abcdef is a name',
    'hf_abc and ghp_short and sk-123',
    'commit 2906026be46c06cd17d37dc77a28b70fa9a0e2e5',
    'id 30478f63-f942-4925-a39a-7647f14e4ded',
    'sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'API_KEY=your_api_key_here_please_change',
    'const secretKeyOfTheOldTown = computeEverything(first, second)',
    'token = process.env.MY_SECRET_TOKEN_VALUE_1',
    '<script src="https://stats.example/a.js" data-key="Kx7vQ2mZ9pRtY4wLbN8cHd"></script>',
    'see https://example.com/a/very/long/path/with1number/and-more',
    `password: \${DB_PASSWORD_FROM_VAULT_12345}`,
  ]) {
    assert.deepEqual(findSecrets(textOf(text)), [], text);
  }
});

test('finds assigned secrets, credentials in URLs and private keys', () => {
  const text = [
    'client_secret = "q8X2mN7vB4kL9pR3sT6w"',
    'postgres://app:f4T9xWq2@db.internal:5432/main',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAK\n-----END RSA PRIVATE KEY-----',
  ].join('\n');
  assert.deepEqual(
    findSecrets(textOf(text)).map((span) => span.rule),
    ['secret.assigned-secret', 'secret.url-password', 'secret.private-key'],
  );
});

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

test('finds a value named as a secret, in every syntax', () => {
  const random = createRandom(9);
  const of = (count: number, letters: string) =>
    Array.from({ length: count }, () => letters[random.below(letters.length)]).join('');
  const values = [
    () => of(32, '0123456789abcdef'),
    () => of(20, ALPHANUMERIC),
    () => of(40, ALPHANUMERIC),
    () => `${of(43, `${ALPHANUMERIC}+/`)}=`,
    () => `${of(4, 'abcdef')}_${of(32, ALPHANUMERIC)}`,
  ];
  for (const template of [
    'API_KEY=§',
    'export SECRET_TOKEN="§"',
    '"apiKey": "§"',
    "secret = '§'",
    'Authorization: Bearer §',
    'curl -H "X-Auth-Token: §" https://x.example',
    'client_secret=§&grant_type=x',
    'my api key is §',
    'const secretKey = `§`;',
    '<apiKey>§</apiKey>',
    "process.env.TOKEN || '§'",
    '--token=§',
    'API Key — §',
    'apikey|§|prod',
  ]) {
    let missed = 0;
    for (let n = 0; n < 30; n++) {
      const value = random.pick(values)();
      const text = template.replace('§', () => value);
      if (!findSecrets(textOf(text)).some((span) => text.slice(span.start, span.end) === value)) missed++;
    }
    assert.ok(missed <= 2, `${template}: ${missed} of 30 missed`);
  }
});
