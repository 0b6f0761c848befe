import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretFileOf } from '../../../apps/desktop/src/inspect/secret-file.ts';

const slot = (text: string, path = '/messages/0/content') => ({ path, role: 'user', text }) as const;
const at = (text: string, path?: string) => {
  const start = text.indexOf('SECRET');
  const replacements = new Map([[0, [{ start, end: start + 6, text: '[API_KEY]' }]]]);
  return secretFileOf({ slots: [slot(text, path)], findings: [], replacements });
};

test('the file is the last one named before the secret', () => {
  for (const [text, name] of [
    ['Here is my .env:\n```\nKEY=SECRET', '.env'],
    ['File: config/.env.production\nTOKEN=SECRET', '.env.production'],
    ['first .npmrc, then `server.pem`:\nSECRET', 'server.pem'],
    ['~/.ssh/id_ed25519\nSECRET', 'id_ed25519'],
    ['KEY=SECRET and afterwards .env', null],
    ['process.env.KEY = SECRET', null],
    ['stripe.key = SECRET', null],
    [`.env ${'x'.repeat(500)} SECRET`, null],
  ] as const)
    assert.equal(at(text), name, text);
});

test('an upload gives its own name, also if the secret’s position is unknown', () => {
  const upload = slot('KEY=abc', '#field/.env.local');
  assert.equal(at('KEY=SECRET', '#field/.env.local'), '.env.local');
  assert.equal(secretFileOf({ slots: [upload], findings: [], replacements: new Map() }), '.env.local');
  const slots = [slot('My id_rsa, long ago.'), slot('Here is .env: KEY=abc')];
  const nowhere = { findings: [], replacements: new Map() };
  assert.equal(secretFileOf({ slots, ...nowhere }), '.env', 'the newest text');
  assert.equal(secretFileOf({ slots: slots.toReversed().concat(slot('Hello.')), ...nowhere }), null);
});

test('a finding of the engine gives a position too', () => {
  const text = 'My .env has KEY=SECRET';
  const findings = [{ path: '/messages/0/content', start: text.indexOf('SECRET') }];
  assert.equal(secretFileOf({ slots: [slot(text)], findings, replacements: new Map() }), '.env');
});

test('of several positions the first that names a file is used, and an upload only by its own name', () => {
  const slots = [slot('KEY=SECRET', '/a'), slot('My .npmrc has SECRET', '/b')];
  const findings = [
    { path: '/gone', start: 0 },
    { path: '/a', start: 4 },
    { path: '/b', start: 15 },
  ];
  assert.equal(secretFileOf({ slots, findings, replacements: new Map() }), '.npmrc');
  const nowhere = { findings: [], replacements: new Map() };
  assert.equal(secretFileOf({ slots: [slot('Hello', '/id_rsa'), slot('Hello')], ...nowhere }), null);
  assert.equal(at(`.env${'x'.repeat(5)} ${' '.repeat(390)}SECRET`), null, 'another name');
  assert.equal(at(`.env${' '.repeat(396)}SECRET`), '.env', 'within reach');
  assert.equal(at(`.env${' '.repeat(397)}SECRET`), null, 'one character further');
});
