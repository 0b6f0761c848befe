import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../../test/support/random.ts';
import { dataDocuments, dataGrammar, dataOrders, hideOrder } from '../../detector/data-grammar.ts';
import { expand } from '../../detector/grammar/expand.ts';
import { userGrammar } from '../../detector/grammar.ts';

test('a template is expanded until no slot is left', () => {
  const text = expand('[a|b] {x} and {y}', { x: ['{y}!'], y: ['[1|2]'] }, createRandom(1));
  assert.match(text, /^[ab] [12]! and [12]$/);
  assert.throws(() => expand('{missing}', {}, createRandom(1)), /no slot missing/);
});

test('the grammars generate the same texts for the same seed, of both labels, and without open slots', () => {
  const first = [...userGrammar(createRandom(9)), ...dataGrammar(createRandom(9))];
  const second = [...userGrammar(createRandom(9)), ...dataGrammar(createRandom(9))];
  assert.deepEqual(
    first.slice(0, 500).map((row) => row.text),
    second.slice(0, 500).map((row) => row.text),
  );
  assert.equal(first.length, second.length);
  for (const label of [0, 1]) assert.ok(first.filter((row) => row.label === label).length > 5_000);
  for (const row of first) assert.doesNotMatch(row.text, /\{(?:harm|task|goods|prev|benreq|tn|tv)\}/);
});

test('an instruction is hidden completely in a document, with its position', () => {
  const random = createRandom(5);
  const orders = dataOrders(random).filter((_row, index) => index % 301 === 0);
  const documents = dataDocuments(random).filter((_row, index) => index % 97 === 0);
  const fields = documents.filter((row) => row.text.startsWith('{'));
  assert.ok(orders.length > 100 && documents.length > 100 && fields.length > 5);
  for (const order of orders) {
    for (const carrier of [random.pick(documents), random.pick(fields)]) {
      const { text, span, label } = hideOrder(carrier, order, random);
      const [from, to] = span ?? [0, 0];
      const plain = (value: string) => value.replace(/\\n|[\s"']/g, '');
      assert.equal(plain(text.slice(from, to)), plain(order.text));
      assert.equal(label, 1);
    }
  }
});
