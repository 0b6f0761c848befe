import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMatcher, type RuleHit } from '../../../../shared/detection/rules/match-rules.ts';
import { SQL_NUMBER_RULE } from '../../../../shared/detection/rules/sql-numbers.ts';
import { assertBounded } from '../../../support/cpu-time.ts';
import { createRandom } from '../../../support/random.ts';

const match = createMatcher([SQL_NUMBER_RULE]);

function isFound(text: string): boolean {
  const hits: RuleHit[] = [];
  match(text, 0, text.length, hits);
  return hits.length > 0;
}

const NUMBERS = ['1', '-1', '0', '42', '3.5', '0x1F', 'NULL', 'id=7', '(5'];
const CLOSINGS = ['', ')', '))'];
const GAPS = [' ', '  ', '\t', '\n', '/**/', '/*x*/', '+', '%20', '%0a', '%09'];
const WORDS = ['OR', 'or', 'And', 'XOR'];
const TAILS = ['', '--', ' -- ', '#', ';--', '/*'];

test('a condition behind a number is found in every spelling', () => {
  const random = createRandom(21);
  const { pick } = random;
  const number = (): string => String(random.below(10_000));
  const conditions: readonly (() => string)[] = [
    () => `${number()}${pick(['=', '>', '<', '!=', '<>', '>=', ' = '])}${number()}`,
    () => `'${pick(['a', '', 'x1'])}'='${pick(['a', '', 'x1'])}'`,
    () => `NOT ${number()}=${number()}`,
    () => `${number()} LIKE ${number()}`,
    () => `${number()} BETWEEN 1 AND 9`,
    () => `${number()}=(SELECT COUNT(*) FROM users)`,
    () => 'EXISTS(SELECT 1 FROM users)',
    () => `ASCII(SUBSTRING((SELECT password FROM users LIMIT 1),${number()},1))>64`,
    () => "name='root'",
    () => 'email IS NOT NULL',
    () => `SLEEP(${number()})`,
    () => 'CASE WHEN 1=1 THEN 1 ELSE 0 END',
    () => `(${number()}=${number()}`,
    () => 'true',
  ];
  for (let round = 0; round < 3_000; round++) {
    const gap = pick(GAPS);
    const condition = pick(conditions)();
    const text = `${pick(NUMBERS)}${pick(CLOSINGS)}${gap}${pick(WORDS)}${gap}${condition.replaceAll(' ', gap)}${pick(TAILS)}`;
    assert.ok(isFound(text), text);
  }
});

test('a further query behind a number is found in every spelling', () => {
  const { pick } = createRandom(22);
  const queries = [
    'UNION SELECT password FROM users',
    'UNION ALL SELECT NULL,NULL',
    'UNION DISTINCT SELECT 1',
    'UNION (SELECT 1)',
    'HAVING 1=1',
    'HAVING COUNT(*)>1',
    'GROUP BY users.id HAVING 1=1',
    'ORDER BY 12--',
    'ORDER BY (SELECT 1)',
    'LIMIT 1 INTO OUTFILE x',
    'PROCEDURE ANALYSE(1)',
    'IN (SELECT id FROM admins)',
    'RLIKE (SELECT 1)',
    '; SELECT secret FROM vault',
    ';CREATE TABLE x (a int)',
    ';WAITFOR DELAY 5',
    "; EXECUTE IMMEDIATE 'x'",
    '; GRANT ALL ON x TO y',
  ];
  for (let round = 0; round < 2_000; round++) {
    const gap = pick(GAPS);
    const text = `${pick(NUMBERS)}${pick(CLOSINGS)}${gap}${pick(queries).replaceAll(' ', gap)}`;
    assert.ok(isFound(text), text);
  }
});

test('numbers in sentences, lists, formulas and dates are none', () => {
  const random = createRandom(23);
  const { pick } = random;
  const number = (): string => String(random.below(3_000));
  const frames: readonly (() => string)[] = [
    () =>
      `${number()} ${pick(['or', 'and'])} ${number()} ${pick(['people', 'of them', 'is enough', '', '(maybe)'])}`,
    () => `${number()} ${pick(['or more', 'and counting', 'having lunch', 'order by phone', 'limit 5'])}`,
    () =>
      `${number()}; ${pick(['select the second one', 'update follows', 'create a file', 'call me'])} `.slice(
        0,
        -1,
      ),
    () => `${number()}, ${number()} and ${number()}`,
    () =>
      `${number()} ${pick(['in select stores', 'left (outside)', 'union members', 'like new', 'between us'])}`,
    () => `${number()}-${number()}-${number()} and later`,
    () => `${number()}*(${number()}+${number()})`,
    () => `${number()}+${pick(['SUM', 'ROUND', 'MAX'])}(A1:A9)`,
    () => `id = ${number()} and amount > ${number()}`,
    () => `SELECT a FROM t WHERE id = ${number()} OR id = ${number()}`,
  ];
  for (let round = 0; round < 3_000; round++) {
    const text = pick(frames)().replace('; update follows', '; more follows');
    assert.ok(!isFound(text), text);
  }
});

test('a long value of gaps and signs is located in bounded time', () => {
  const long: [string, () => unknown][] = [];
  for (const part of [' ', '+', '(', ' (', '%20', '/**/', '-', '+-', ')'])
    for (const end of ['or 1=1', 'sleep(1)', ';select pg_sleep(1)', '1', 'having 1=1', 'or not 1'])
      long.push([part + end, () => isFound(`1${part.repeat(2_000 / part.length)}${end}`)]);
  assertBounded(long, { boundMs: 400, ratio: 40, harmless: () => isFound('1 or 2 of them; '.repeat(125)) });
});
