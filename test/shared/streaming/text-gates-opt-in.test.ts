import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPT_IN_PII_TYPES } from '@csg/shared/contract';
import { compileRuleset, scan } from '@csg/shared/detection';
import { Workspace } from '../../../shared/detection/workspace.ts';
import { createTextGates, OptInGate } from '../../../shared/streaming/text-gates.ts';
import { optInTexts } from '../../support/opt-in-texts.ts';
import { createRandom } from '../../support/random.ts';

const workspace = new Workspace();
const RULESET = compileRuleset({
  useCase: 'default',
  strictness: 'moderate',
  policies: [
    {
      id: 'p1',
      action: 'block',
      threatTypes: ['pii_leak'],
      rules: { conditions: { pii_types: [...OPT_IN_PII_TYPES] } },
    },
  ],
});
const PROSE =
  'the report is ready, and my team has read it: we can meet on Monday, at three, in the office (see above). ';
const texts = optInTexts().filter(({ values }) => values.length === 1);

test('no part of a blocked value is released, wherever the text is split', () => {
  const random = createRandom(17);
  for (const { text: marked } of texts) {
    const text = `${PROSE.repeat(random.below(14))}\n${marked}\n${PROSE.repeat(9)}`;
    const first = scan([{ path: '', role: 'assistant', text }], RULESET, 'output').find(
      ({ pii }) => pii !== undefined && OPT_IN_PII_TYPES.some((type) => type === pii),
    );
    if (first === undefined) continue;
    const gate = createTextGates(RULESET, { workspace }).open('assistant');
    for (let at = 0; at < text.length; ) {
      const size = 1 + random.below(30);
      assert.ok(gate.push(text.slice(at, at + size)) <= first.start, text);
      at += size;
    }
    assert.equal(gate.pause() <= first.start, true);
  }
});

test('a text without such values is released as it arrives, at most one window behind', () => {
  const gate = createTextGates(RULESET, { workspace }).open('assistant');
  const text = PROSE.repeat(60);
  let released = 0;
  for (let at = 0; at < text.length; at += 40) released = gate.push(text.slice(at, at + 40));
  assert.ok(released > text.length - 900, `${released} of ${text.length}`);
});

test('without opt-in types nothing is held, and no character is split', () => {
  assert.equal(new OptInGate([], workspace).push('anything'), Number.POSITIVE_INFINITY);
  const gate = new OptInGate(['iban'], workspace);
  const text = '😀'.repeat(2_000);
  for (let at = 0; at < text.length; at += 7) {
    const released = gate.push(text.slice(at, at + 7));
    assert.equal(released % 2, 0);
  }
});
