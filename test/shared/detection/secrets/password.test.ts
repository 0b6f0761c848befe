import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideFindings } from '@csg/shared/decision';
import { compileRuleset, piiSpans, scan } from '@csg/shared/detection';
import { assertLinear } from '../../../support/cpu-time.ts';

const found = (text: string) =>
  piiSpans(text, ['api_key']).map(({ start, end, rule }) => `${rule} ${text.slice(start, end)}`);

test('finds passwords in prose, settings and markup, each completely', () => {
  for (const [text, password] of [
    ['The password: Hk72!vbQp9 works for both.', 'Hk72!vbQp9'],
    ['my password is Sunny-Lake-4921.', 'Sunny-Lake-4921'],
    ['my password is now: Sunny-Lake-4921.', 'Sunny-Lake-4921'],
    ['Set the password for anna to "Kf8#mmQr2x", please', 'Kf8#mmQr2x'],
    ['(password: Hk72!vbQp9)', 'Hk72!vbQp9'],
    ['**Password:** `Hk72!vbQp9`', 'Hk72!vbQp9'],
    ['<property name="password">Zx81!kkPqv</property>', 'Zx81!kkPqv'],
    ['<user password="Zx81!kkPqvT"/>', 'Zx81!kkPqvT'],
    ['<add key="password" value="Zx81!kkPqvT"/>', 'Zx81!kkPqvT'],
    ['Server=db;Password=Hk72!vbQp9;Trusted=x', 'Hk72!vbQp9'],
    ['{"password": "Hk72!vbQp9"}', 'Hk72!vbQp9'],
    ['{\\"password\\": \\"Hk72!vbQp9\\"}', 'Hk72!vbQp9'],
    ['login?password=Hk72!vbQp9&user=x', 'Hk72!vbQp9'],
    ['Das Passwort lautet: Bx82!mmQr', 'Bx82!mmQr'],
    ['La contraseña es Luna!2019x', 'Luna!2019x'],
    ['mot de passe : Vert-Chat-77', 'Vert-Chat-77'],
    ['パスワード：Hana2024!x', 'Hana2024!x'],
    ['😀 пароль: Zima77!Leto', 'Zima77!Leto'],
  ] as const)
    assert.deepEqual(found(text), [`secret.password ${password}`], text);
});

test('methods, types, variables, calls and descriptions are not passwords', () => {
  for (const text of [
    'password: SHA-256 hashed',
    'the password is base64-encoded',
    'the password is 12-characters long, at least 3Letters',
    'password: string',
    'password: newPassword1,',
    'password = getPass2(x)',
    'password = form.values2.secretField',
    'password: process.env.PASS1A',
    `password: \${PASS1a}`,
    'password: $1aBcDeFgH',
    'password: {{ vault_Pass1 }}',
    'password: required|min:8',
    'password_hash: 2024-11-27T10:00:00Z',
    'password: anna2@mail.example.org',
    'pwd: /home/Anna1/webshop',
    'password: your-Password-123',
    'const password = options.Auth2',
    'Password: ********1A',
  ])
    assert.deepEqual(found(text), [], text);
});

test('passwords of tests and tutorials are ignored for code assistants', () => {
  const decision = (text: string, useCase: 'default' | 'code_assistant') => {
    const ruleset = compileRuleset({ useCase, strictness: 'moderate', policies: [] });
    return decideFindings(scan([{ path: '/', role: 'user', text }], ruleset, 'input'), ruleset, 'input')
      .decision;
  };
  for (const text of [
    '{"username": "anna", "password": "Testing123!"}',
    'password: "Secret!123"',
    'password = "Qwerty1234!"',
    'curl -u admin:admin https://shop.acme.io/',
    'curl -u deploy:Vf83kLq92mZx http://localhost:9200/_cat',
  ]) {
    assert.equal(decision(text, 'code_assistant'), 'allow', text);
    assert.equal(decision(text, 'default'), 'redact', text);
  }
  for (const text of ['password = "Hk72!vbQp9"', 'curl -u deploy:Vf83kLq92mZx https://shop.acme.io/'])
    assert.equal(decision(text, 'code_assistant'), 'redact', text);
});

test('a text of only password prefixes takes linear time', () => {
  for (const beginning of [
    'password ',
    'password for a b ',
    'password: ',
    'curl -u a',
    'curl ',
    ':AA',
    '1234567890:AA',
  ]) {
    const fill = (size: number) => beginning.repeat(size / beginning.length);
    assertLinear(beginning, fill, (text) => piiSpans(text, ['api_key']), 20_000);
  }
});
