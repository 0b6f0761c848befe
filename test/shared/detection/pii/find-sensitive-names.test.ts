/** Names of units, keys of markup, headers, versions and identifiers are no personal data and no secrets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiSpans, Workspace } from '@csg/shared/detection';
import { createRandom, type Random } from '../../../support/random.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MIXED = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const make = (random: Random, length: number, from: string): string =>
  Array.from({ length }, () => random.pick([...from])).join('');
const word = (random: Random): string => make(random, 3 + random.below(6), LETTERS);
const token = (random: Random): string => make(random, 18 + random.below(12), MIXED);
const digits = (random: Random): string => String(random.below(40));

const KINDS: Readonly<Record<string, (random: Random) => string>> = {
  unit(random) {
    const ending = random.pick('service socket target timer mount swap slice scope device path'.split(' '));
    const instance = random.pick([`tty${digits(random)}`, `wg${digits(random)}`, word(random), '1000']);
    const unit = `${word(random)}@${instance}.${ending}`;
    return random.pick([
      `systemctl status ${unit}`,
      `Loaded: loaded (/lib/systemd/system/${unit})`,
      `Wants=${unit}`,
    ]);
  },
  markup(random) {
    const value = token(random);
    return random.pick([
      `<script src="https://stats.example/a.js" data-key="${value}"></script>`,
      `<li key="${value}" onClick={() => open(1)}>`,
      `<Row key={'${value}'} className="wide" />`,
      `<div class="g-recaptcha" data-site-key='${value}'></div>`,
    ]);
  },
  header(random) {
    const name = random.pick(['Idempotency-Key', 'X-Idempotency-Key', 'Sec-WebSocket-Key', 'Surrogate-Key']);
    return random.pick([
      `${name}: ${token(random)}`,
      `-H '${name}: ${token(random)}'`,
      `"${name}": "${token(random)}"`,
    ]);
  },
  version(random) {
    const version = `${digits(random)}.${digits(random)}.${digits(random)}`;
    const name = word(random);
    const tag = random.pick(['', '-beta.1', '-rc.2', '+build.7']);
    return random.pick([
      `npm install ${name}@${version}${tag}`,
      `"@${name}/${word(random)}": "^${version}${tag}"`,
      `${name}==${version}`,
    ]);
  },
  identifier(random) {
    const name = word(random);
    return random.pick([
      `@${name}.${word(random)}()`,
      `${name}@2x.${random.pick(['png', 'avif', 'woff2', 'pdf', 'conf'])}`,
      `row_key = "${token(random)}"`,
      `const objectKey = '${token(random)}';`,
      `${name}.${word(random)}.${word(random)}#${word(random)}`,
    ]);
  },
};

test('of 500 names of units, keys, headers, versions and identifiers none is found', () => {
  const random = createRandom(12);
  const workspace = new Workspace();
  const found = Object.entries(KINDS).flatMap(([kind, sample]) =>
    Array.from({ length: 100 }, () => `${kind}: ${sample(random)}`).filter(
      (text) => piiSpans(text, undefined, workspace).length > 0,
    ),
  );
  assert.deepEqual(found, []);
});

test('what has the form of such a name and is an address or a secret is found', () => {
  const secret = ['Kx7vQ2mZ9pRt', 'Y4wLbN8cHd'].join('');
  for (const text of [
    'Mail getty@tty1.services about it',
    'Mail kim@company.network about it',
    `api_key: ${secret}`,
    `key = "${secret}"`,
    `<config apiKey="${secret}">`,
    `<form data-secret-key="${secret}">`,
    `a < b and key = "${secret}"`,
    `Surrogate-Key: a, Api-Key: ${secret}`,
  ])
    assert.equal(piiSpans(text).length, 1, text);
});
