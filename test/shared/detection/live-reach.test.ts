import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THREAT_TYPES } from '@csg/shared/contract';
import { decideFindings } from '@csg/shared/decision';
import { compileRuleset, scan, Workspace } from '@csg/shared/detection';
import { PHRASES, REACH_OF_ALL, REACH_OF_KEYS } from '../../../shared/detection/live-reach.ts';
import { RULE_SETS } from '../../../shared/detection/rules/index.ts';
import { createTextGates } from '../../../shared/streaming/text-gates.ts';
import { partOf, seedFor } from '../../support/part.ts';
import { createRandom } from '../../support/random.ts';
import { sampledRows } from '../../support/reach-samples.ts';

const RULESETS = {
  'blocks all': compileRuleset({
    useCase: 'support_bot',
    strictness: 'strict',
    policies: [{ id: 'all', action: 'block', threatTypes: [...THREAT_TYPES] }],
  }),
  'blocks keys': compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] }),
};
const workspace = new Workspace();
const PLAIN = 'These are plain words and nothing else, said once more. ';
/** Letters that are read as Latin ones. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', s: 'ｓ', '<': '＜', f: 'ｆ' };
const lookAlike = (text: string): string => text.replace(/[aeosf<]/, (sign) => LOOK_ALIKES[sign]!);

function firstBlocked(text: string, ruleset: (typeof RULESETS)['blocks all']): number {
  const findings = scan([{ path: '', role: 'assistant', text }], ruleset, 'output', { workspace });
  return Math.min(
    ...findings
      .filter((finding) => decideFindings([finding], ruleset, 'output').decision === 'block')
      .map(({ start }) => start),
  );
}

test('nothing of a finding is released before the end, wherever a text is split', () => {
  const random = createRandom(seedFor('reach of rows'));
  const rows = sampledRows(random);
  const named = new Set(rows.map(({ name }) => name));
  for (const [kind, ruleset] of Object.entries(RULESETS)) {
    const gates = createTextGates(ruleset, { workspace });
    let blocked = 0;
    for (const { name, texts } of rows) {
      for (const sample of texts.flatMap((text) => [text, lookAlike(text)])) {
        const lead = random.pick(['', PLAIN, PLAIN.repeat(30)]);
        const text = `${lead}${sample} ${PLAIN.repeat(random.pick([1, 12, 40]))}`;
        const first = firstBlocked(text, ruleset);
        if (first < text.length) blocked++;
        const check = (released: number, how: string): void =>
          assert.ok(released <= first, `${kind}, ${name}, ${how}: ${released} of ${first} in ${text}`);
        const letters = gates.open('assistant');
        let last = 0;
        for (const [at, letter] of [...text].entries()) {
          const released = letters.push(letter);
          assert.ok(released >= last, `${name}: ${released} after ${last}`);
          last = released;
          check(released, `letter ${at}`);
        }
        const splits = Array.from({ length: sample.length + 40 }, (_, at) => lead.length - 2 + at);
        for (const split of partOf(`${name} ${sample}`, splits, 6)) {
          const gate = gates.open('assistant');
          check(gate.push(text.slice(0, Math.max(0, split))), `split ${split}`);
          check(gate.push(text.slice(Math.max(0, split))), `rest ${split}`);
        }
      }
    }
    assert.ok(blocked > named.size, `${kind}: ${blocked}`);
  }
});

test('every rule for responses has its phrase in each sample', () => {
  for (const { id, match, reach } of RULE_SETS.answers) {
    for (const sample of match)
      assert.ok(
        reach.phrases.some((phrase) => sample.includes(phrase)),
        `${id}: ${sample}`,
      );
    for (const phrase of reach.phrases) assert.match(phrase, new RegExp(PHRASES.source), phrase);
  }
});

test('personal data reaches further than keys', () => {
  assert.ok(REACH_OF_KEYS.afterOddWord < REACH_OF_ALL.afterOddWord);
  assert.equal(REACH_OF_KEYS.afterName, REACH_OF_ALL.afterName);
  assert.equal(REACH_OF_KEYS.counted.length, 0);
  assert.equal(REACH_OF_ALL.counted.length, 1, 'types that share a recognizer count together');
});
