import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createScanner } from '../../../apps/cloud/src/scanning/scanner.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const PRESET = { useCase: 'default', strictness: 'moderate', policies: [] } as const;
const slot = (text: string) => [{ path: '/content', role: 'user' as const, text }];

describe('the scanner', () => {
  const scanner = createScanner({ workers: 1, deadlineMs: 20_000 });
  const inline = createScanner({ workers: 0, deadlineMs: 20_000 });
  after(() => Promise.all([scanner.close(), inline.close()]));

  test('a text finds the same in a worker as on the spot', async () => {
    const text = `${'An ordinary sentence about the weather. '.repeat(800)} My SSN is 123-45-6789, ada@example.com.`;
    const ruleset = scanner.ruleset(PRESET);
    const away = await turnsDuring(() => scanner.scan(slot(text), ruleset, 'input'));
    assert.ok(away.turns > 10, 'long texts leave the event loop');
    const here = await turnsDuring(() => inline.scan(slot(text), ruleset, 'input'));
    assert.ok(here.turns < 10, 'without workers they do not');
    assert.deepEqual(away.result, here.result);
    assert.ok(here.result.length >= 2);
    const redacted = scanner.redact(text, ['ssn']);
    assert.ok(redacted instanceof Promise);
    assert.deepEqual(await redacted, inline.redact(text, ['ssn']));
  });

  test('many short slots are together as long as one', async () => {
    const slots = Array.from({ length: 1_000 }, (_, n) => ({
      path: `/messages/${n}/content`,
      role: 'user' as const,
      text: 'An ordinary sentence about the weather.',
    }));
    const few = await turnsDuring(() => scanner.scan(slots.slice(0, 10), scanner.ruleset(PRESET), 'input'));
    assert.ok(few.turns < 10);
    const many = await turnsDuring(() => scanner.scan(slots, scanner.ruleset(PRESET), 'input'));
    assert.ok(many.turns > 10);
    assert.deepEqual(many.result, []);
  });

  test('a ruleset is compiled once', () => {
    const first = scanner.ruleset(PRESET);
    assert.equal(scanner.ruleset({ ...PRESET }), first);
    assert.notEqual(scanner.ruleset({ ...PRESET, strictness: 'strict' }), first);
  });

  test('a deadline that passes rejects', async () => {
    const hasty = createScanner({ workers: 1, deadlineMs: 1 });
    const late = hasty.scan(slot('word '.repeat(20_000)), hasty.ruleset(PRESET), 'input');
    await assert.rejects(async () => late, { name: 'AbortError' });
    await hasty.close();
  });
});
