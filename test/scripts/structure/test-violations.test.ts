import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testViolations } from '../../../scripts/structure/test-violations.ts';

const violations = (text: string, mayWait = false) =>
  testViolations('a.test.ts', text, mayWait).map((violation) => violation.text);

const REFUSED = [
  ["test.skip('a', () => {});", /skip without a reason/],
  ["it('a', { skip: true }, () => {});", /skip without a reason/],
  ["describe('a', { todo: true }, () => {});", /todo without a reason/],
  ["test('a', (t) => { t.skip(); });", /skip without a reason/],
  ["it.only('a', () => {});", /only:/],
  ["it('a', { only: true }, () => {});", /only:/],
  ["import { mock } from 'node:test'; mock.module('./a.ts', {});", /mock\.module/],
  ["test('a', (t) => { t.mock.method(part, 'do'); });", /mock\.method/],
  [
    "import { setTimeout } from 'node:timers/promises'; test('a', async () => { await setTimeout(5); });",
    /a sleep/,
  ],
  ['test("a", async () => { await new Promise((resolve) => setTimeout(resolve, 5)); });', /a sleep/],
  ['test("a", async () => { await new Promise((done) => { setTimeout(done, 5); }); });', /a sleep/],
] as const;

const ALLOWED = [
  "test('a', async () => { await new Promise((resolve) => { child.on('exit', resolve); setTimeout(resolve, 5, null); }); });",
  "test('a', { skip: noRedis }, () => {});",
  "test('a', { skip: 'the provider is away' }, () => {});",
  "test('a', (t) => { t.skip('no Redis here'); });",
  "test('a', (t) => { t.mock.timers.enable(); });",
  "test('a', (t) => { t.mock.method(performance, 'now', () => 0); });",
  "test('a', async () => { await new Promise((resolve, reject) => { setTimeout(() => reject(new Error('too late')), 5); on(resolve); }); });",
  'it.each; queue.skip(1); list.only(2);',
];

describe('testViolations', () => {
  for (const [text, expected] of REFUSED) {
    it(`reports ${text}`, () => {
      const found = violations(text);
      assert.equal(found.length, 1, JSON.stringify(found));
      assert.match(found[0] ?? '', expected);
    });
  }

  for (const text of ALLOWED) it(`allows ${text}`, () => assert.deepEqual(violations(text), []));

  it('allows listed test support to wait', () => {
    assert.deepEqual(violations('await new Promise((resolve) => setTimeout(resolve, 5));', true), []);
  });
});
