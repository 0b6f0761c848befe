import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import {
  dataDocuments,
  dataGrammar,
  dataOrders,
  hideOrder,
} from '../../../scripts/lab/detector/data-grammar.ts';
import { evaluateRows, projectRuleset } from '../../../scripts/lab/detector/evaluate.ts';
import type { Row } from '../../../scripts/lab/detector/examples.ts';
import { userGrammar } from '../../../scripts/lab/detector/grammar.ts';
import { createRandom } from '../../support/random.ts';

/** Texts of another seed than those of the training, a small sample of each family. */
function sample(): Row[] {
  const random = createRandom(4242);
  return [...userGrammar(random), ...dataGrammar(random)].filter((_row, index) => index % 23 === 0);
}

const EVALUATED = evaluateRows(sample(), projectRuleset());
const HARMLESS = EVALUATED.filter(({ row }) => row.label === 0);
const ATTACKS = EVALUATED.filter(({ row }) => row.label === 1);

test('the weights stay small', () => {
  const size = (name: string) =>
    statSync(new URL(`../../../shared/detection/model/${name}.json`, import.meta.url)).size;
  const names = ['weights-user', 'weights-data', 'weights-ngrams-user', 'weights-ngrams-data'];
  assert.ok(names.reduce((sum, name) => sum + size(name), 0) < 2 * 1024 * 1024);
});

test('generated texts stay within the budgets of false positives and misses', () => {
  const share = (rows: typeof EVALUATED) => rows.filter((one) => one.blocked).length / rows.length;
  assert.ok(HARMLESS.length > 300 && ATTACKS.length > 300);
  assert.ok(share(HARMLESS) < 0.03, `false positives ${share(HARMLESS).toFixed(3)}`);
  assert.ok(share(ATTACKS) > 0.8, `recall ${share(ATTACKS).toFixed(3)}`);
});

test('instructions hidden in documents are found, and documents without them pass', () => {
  const random = createRandom(77);
  const orders = dataOrders(random).filter((_row, index) => index % 89 === 0);
  const documents = dataDocuments(random).filter((_row, index) => index % 17 === 0);
  const hidden = orders.map((order) => hideOrder(random.pick(documents), order, random));
  const share = (rows: readonly Row[]) =>
    evaluateRows(rows, projectRuleset()).filter((one) => one.blocked).length / rows.length;
  assert.ok(hidden.length > 300 && documents.length > 300);
  // The threshold is chosen on real documents (docs/detection.md), of which one in a hundred may be flagged.
  assert.ok(share(hidden) > 0.7, `recall ${share(hidden).toFixed(3)}`);
  assert.ok(share(documents) < 0.01, `false positives ${share(documents).toFixed(3)}`);
});

test('no detector alone exceeds its share of the budget', () => {
  const counts = new Map<string, number>();
  for (const { findings } of HARMLESS) {
    for (const rule of new Set(findings.filter((one) => one.confidence >= 0.5).map((one) => one.rule))) {
      counts.set(rule, (counts.get(rule) ?? 0) + 1);
    }
  }
  for (const [rule, count] of counts) {
    const budget = rule.startsWith('model.') ? 0.025 : 0.004;
    assert.ok(count / HARMLESS.length < budget, `${rule}: ${count} of ${HARMLESS.length}`);
  }
});
