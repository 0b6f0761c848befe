import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Direction, UseCase } from '../../../../shared/contract/index.ts';
import { decideFindings } from '../../../../shared/decision/index.ts';
import { compileRuleset, scan } from '../../../../shared/detection/index.ts';
import { SECRET_KINDS } from '../../../../shared/detection/secrets/kinds.ts';
import { createRandom } from '../../../support/random.ts';
import { sampleOf } from '../../../support/sample-of.ts';

const random = createRandom(11);

function sample(id: string): string {
  const kind = SECRET_KINDS.find((one) => one.id === id)!;
  return sampleOf(kind.form, (below) => random.below(below));
}

function decisionOf(text: string, useCase: UseCase, direction: Direction = 'input'): string {
  const ruleset = compileRuleset({ useCase, strictness: 'moderate', policies: [] });
  const role = direction === 'input' ? 'tool_result' : 'assistant';
  return decideFindings(scan([{ path: '/x', role, text }], ruleset, direction), ruleset, direction).decision;
}

const PEM = (body: string) =>
  `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${body}\n-----END RSA ${'PRIVATE'} KEY-----`;

/** Secrets that protect nothing. */
const EXAMPLES = [
  'broker_url = "amqp://guest:guest@localhost:5672//"',
  'DB_URI = "postgres://postgres:eyojnume@localhost:5432/postgres?sslmode=disable"',
  'DATABASE_URL=postgres://app:eyojnume@172.17.0.1:5432/app',
  'DATABASE_URL=postgres://app:eyojnume@db:5432/app',
  'httpx.get("https://user:password123@example.org/")',
  `"accessKeyId": "AKIA${'IOSFODNN7'}EXAMPLE"`,
  `STRIPE_KEY=${sample('stripe-test')}`,
  `headers: Sec-WebSocket-Key: ${'dGhlIHNhbXBsZSBub25jZTE='}`,
  PEM('...'),
  PEM('<your key here>'),
  `Authorization: Bearer ${'eyJhbGciOiJIUzI1NiIs'}...`,
];
/** Secrets of a real person. */
const SECRETS = [
  'DATABASE_URL=postgres://alex:PkB504aVbq@ep-cool-darkness-123456.us-east-2.aws.neon.tech/app',
  `STRIPE_KEY=${sample('stripe-live')}`,
  `"accessKeyId": "${sample('aws-access-key')}"`,
  `GITHUB_TOKEN=${sample('github-pat')}`,
  PEM(sampleOf('{B64}\n{B64}\n{B64}', (below) => random.below(below))),
  `client_secret = "${sampleOf('{A24}', (below) => random.below(below))}9x"`,
];

test("test keys, placeholders and passwords of one's own machine are left alone where code is written", () => {
  for (const text of EXAMPLES) {
    assert.equal(decisionOf(text, 'code_assistant'), 'allow', text);
    assert.equal(decisionOf(text, 'code_assistant', 'output'), 'allow', `answer: ${text}`);
  }
});

test('"a real credential is still masked in prompts and refused in answers"', () => {
  for (const text of SECRETS) {
    for (const useCase of ['code_assistant', 'default'] as const) {
      assert.equal(decisionOf(text, useCase), 'redact', text);
      assert.equal(decisionOf(text, useCase, 'output'), 'block', text);
    }
  }
});

test('everywhere else a test key is masked', () => {
  for (const text of EXAMPLES.slice(0, 7)) assert.equal(decisionOf(text, 'default'), 'redact', text);
});

test('a policy on secrets applies to test keys too', () => {
  const policies = [{ id: 'pol_1', action: 'block', threatTypes: ['secret_leak'] }] as const;
  const ruleset = compileRuleset({ useCase: 'code_assistant', strictness: 'moderate', policies });
  const slots = [{ path: '/x', role: 'user', text: EXAMPLES[0]! }] as const;
  assert.equal(decideFindings(scan(slots, ruleset, 'input'), ruleset, 'input').decision, 'block');
});

test('a placeholder for a secret is ignored, wherever it is written', () => {
  for (const text of [
    'url = f"confluentkafka://{sasl_username}:{sasl_password}@broker.acme.io:9094"',
    "URL('http://example-username:[secure]@acme.io/')",
    "backend = 'dynamodb://aws_access_key_id:aws_secret_access_key@region:443/table'",
    'LANGFUSE_AUTH = base64.b64encode(f"{public}:{secret}".encode())',
    'artifact = curator.save_artifact(key="scrna2/validated.h5ad")',
    'env -u OPENAI_API_KEY OPENAI_AGENTS_TEST_IN_CODEX_SANDBOX=1 make tests',
    `"OriginTrialToken": "${sampleOf('{A60}', (below) => random.below(below))}1"`,
    'A'.repeat(400),
  ])
    assert.equal(decisionOf(text, 'default'), 'allow', text);
});
