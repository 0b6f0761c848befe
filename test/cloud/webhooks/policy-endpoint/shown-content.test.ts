import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SlotRole, TextSlot } from '@csg/shared/text';
import { applyReplacements } from '@csg/shared/text';
import fc from 'fast-check';
import {
  replacementsFor,
  shownContent,
} from '../../../../apps/cloud/src/webhooks/policy-endpoint/shown-content.ts';

const slot = (text: string, role: SlotRole = 'user', more: Partial<TextSlot> = {}): TextSlot => ({
  path: `/${role}`,
  role,
  text,
  ...more,
});

describe('the content for a policy endpoint', () => {
  const apply = (slots: readonly TextSlot[], redacted: string): string[] | null => {
    const found = replacementsFor(shownContent(slots), redacted);
    return found && slots.map(({ text }, i) => applyReplacements(text, found.get(i) ?? []));
  };

  test('has the texts of people, the model and data; no names, labels, keys or definitions', () => {
    const { content, parts } = shownContent([
      slot('gpt', 'metadata'),
      slot('Be kind.', 'system'),
      slot('Hello', 'user'),
      slot('name', 'user', { isKey: true }),
      slot('HelloBe', 'user', { path: '#joined:/messages/0/content' }),
      slot('', 'user'),
      slot('sk-1', 'credential'),
      slot('{}', 'tool_definition'),
      slot('It rains.', 'tool_result'),
      slot('call_1', 'identifier'),
      slot('https://a.test', 'other'),
      slot('Of a stream.', 'assistant', { path: '#stream:/choices/0/content' }),
    ]);
    assert.equal(content, 'Be kind.\n\nHello\n\nIt rains.\n\nOf a stream.');
    assert.deepEqual(
      parts.map((part) => part.slot),
      [1, 2, 8, 11],
    );
  });

  test('has its redaction applied to the texts concerned, also if something is only inserted or removed', () => {
    const slots = [slot('My name is Anna.', 'user'), slot('Dear Anna, it rains.', 'tool_result')];
    for (const [redacted, expected] of [
      ['My name is [NAME].\n\nDear [NAME], it rains.', ['My name is [NAME].', 'Dear [NAME], it rains.']],
      ['My name is .\n\nDear Anna, it rains.', ['My name is .', 'Dear Anna, it rains.']],
      ['My full name is Anna.\n\nDear Anna, it rains.', ['My full name is Anna.', 'Dear Anna, it rains.']],
      ['>My name is Anna.\n\nDear Anna, it rains!', ['>My name is Anna.', 'Dear Anna, it rains!']],
      ['My name is Anna.\n\nDear Anna, it rains.', ['My name is Anna.', 'Dear Anna, it rains.']],
    ] as const) {
      assert.deepEqual(apply(slots, redacted), expected);
    }
  });

  test('has a number replaced as a whole', () => {
    const slots = [slot('4111111111111111', 'tool_call', { isNumber: true }), slot('Hello')];
    assert.deepEqual(replacementsFor(shownContent(slots), '411111111111****\n\nHello')?.get(0), [
      { start: 0, end: 16, text: '411111111111****' },
    ]);
  });

  test('has no redaction applied that cannot be recognized', () => {
    const slots = [slot('one'), slot('two')];
    assert.equal(apply(slots, 'redacted'), null);
    const changed = [slot('a '.repeat(9_000)), slot('two')];
    assert.equal(apply(changed, `${'b '.repeat(9_000)}\n\ntwo`), null, 'nearly everything was changed');
  });

  test('has many redactions of a long text applied, and no more than the changed words are replaced', () => {
    const long = Array.from({ length: 20_000 }, (_, i) => (i % 50 === 0 ? 'Anna' : `word${i}`)).join(' ');
    const redacted = long.replaceAll('Anna', '[NAME]');
    const found = replacementsFor(shownContent([slot(long), slot('two')]), `${redacted}\n\ntwo`);
    assert.deepEqual([...(found?.keys() ?? [])], [0]);
    assert.equal(found?.get(0)?.length, 400);
    assert.equal(applyReplacements(long, found?.get(0) ?? []), redacted);
  });

  test('replaces a single text as a whole where nearly everything was changed', () => {
    assert.deepEqual(apply([slot('a '.repeat(9_000))], 'b '.repeat(9_000)), ['b '.repeat(9_000)]);
  });

  test('turns a single text into exactly its redaction', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        (before, after) => {
          assert.deepEqual(apply([slot(before)], after), [after]);
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });
});
