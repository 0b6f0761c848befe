import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageViolations, sourceViolations } from '../../../scripts/structure/language-violations.ts';

const FILE = 'apps/cloud/src/flows/sample.ts';
const found = (text: string, file = FILE): string[] => sourceViolations(file, text).map((one) => one.text);

test('reports a banned part of a name once, at its declaration', () => {
  assert.deepEqual(found('const toldSlots = 1; use(toldSlots); const a = toldSlots;'), [
    'toldSlots: notified, systemSlots, sentAlerts: a name of the content',
  ]);
  for (const text of [
    'function openDesk() {}',
    'const { wish } = given;',
    'class Courier {}',
    'type SignInWish = string;',
    'interface X { readonly colour: string }',
    'export const MOST_KEYS = 5;',
    'export class PageFault extends Error {}',
    'function f(nobodyWaits: boolean) {}',
  ]) {
    assert.equal(found(text).length, 1, text);
  }
});

test('accepts whole words, wire names, and names that another file declares', () => {
  for (const text of [
    'const desktop = 1; const hearing = 2; const wishlist = 3;',
    'const row = { told_at_ms: 1, mails: 2 };',
    'import { MOST_KEYS } from "./x.ts"; check(MOST_KEYS.told);',
    'const isFaulty = true;',
  ]) {
    assert.deepEqual(
      found(text).filter((one) => !one.startsWith('MOST_KEYS')),
      [],
      text,
    );
  }
  assert.deepEqual(found('class VendorFault {}', 'test/support/vendor.ts'), [], 'faults that tests inject');
});

test('reports sentences in strings, templates and the text of pages', () => {
  for (const text of [
    "const a = 'Nobody answers.';",
    "const a = 'It is told to the client.';",
    'const a = `Sent by e-mail to $'.concat('{b}`;'),
    "const a = 'The rule fired twice.';",
    "const a = 'Revoke it at once';",
    'const a = `$'.concat('{share} % of all`;'),
    "const a = 'Switch it off here';",
  ]) {
    assert.equal(found(text).length, 1, text);
  }
  assert.deepEqual(found("const kind = 'mail';"), [], 'a value is not a sentence');
  assert.deepEqual(found("const a = 'Nobody answers.';", 'apps/cloud/src/storage/x.ts'), []);
  assert.equal(found("const a = 'your machine here';").length, 0);
  assert.equal(found("const a = 'your machine here';", 'apps/cloud/dashboard/src/x.ts').length, 1);
});

test('reports test titles and assertion messages, but not test data', () => {
  const file = 'test/cloud/sample.test.ts';
  for (const text of [
    "test('nobody waits', () => {});",
    "describe.skip('nobody waits', () => {});",
    "assert.equal(1, 1, 'nobody waits');",
    "assert.ok(true, 'nobody waits');",
  ]) {
    assert.equal(found(text, file).length, 1, text);
  }
  assert.deepEqual(found(`test('"nobody waits"', () => {});`, file), [], 'a quotation');
  for (const text of [
    "send('nobody waits');",
    "assert.equal(a, 'nobody waits');",
    "assert.ok('nobody waits');",
    "const a = 'nobody waits';",
  ])
    assert.deepEqual(found(text, file), [], text);
});

test('reports comments that say "where" for "if", or name no actor', () => {
  assert.equal(found('// Where there is none, the first.\nconst a = 1;').length, 1);
  assert.equal(found('/**\n * Reads a page.\n * Where it is empty, null.\n */\nconst a = 1;').length, 1);
  assert.equal(found('// It asks somebody.\nconst a = 1;').length, 1);
  assert.equal(found('// The folder where it lies.\nconst a = 1;').length, 0);
});

test('checks the prose of pages, but not their code', () => {
  const text = 'Nobody waits.\n\n```sh\nat once\n```\n\nUse `e-mail` and go on.\n';
  assert.deepEqual(
    pageViolations('docs/a.md', text).map(({ line, text: sentence }) => [line, sentence.split('"')[1]]),
    [
      [1, 'Nobody'],
      [7, 'go on'],
    ],
  );
});
