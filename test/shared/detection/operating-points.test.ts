import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { listFiles } from '../../../scripts/structure/list-files.ts';
import { parseSource, walk } from '../../../scripts/structure/parse-source.ts';
import { ATTACK } from '../../../shared/detection/operating-points/attacks.ts';
import { DECISION } from '../../../shared/detection/operating-points/decisions.ts';
import { TEXT } from '../../../shared/detection/operating-points/texts.ts';
import { UNIT } from '../../../shared/detection/operating-points/units.ts';
import { VALUE } from '../../../shared/detection/operating-points/values.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const TABLES = { ATTACK, DECISION, TEXT, UNIT, VALUE };
/** The tables, and rules, whose rows contain their confidences. */
const MAY_CONTAIN = /^shared\/detection\/(?:operating-points|rules)\//;
const SOURCES = listFiles(ROOT, ['shared/detection'], ['.ts'])
  .filter((file) => !MAY_CONTAIN.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));

/** The decimals of a source, with their lines. */
function decimalsIn(file: string, text: string): string[] {
  const { body, lineOf } = parseSource(file, text);
  const found: string[] = [];
  walk({ type: 'Program', start: 0, end: text.length, body }, (node) => {
    const { type, value } = node;
    if (type === 'Literal' && typeof value === 'number' && !Number.isInteger(value))
      found.push(`${file}:${lineOf(node)} ${value}`);
  });
  return found;
}

test('decimals stand in the tables of operating points', () => {
  assert.deepEqual(decimalsIn('a.ts', "const a = 1;\nif (a > 0.35) f('0.5', 2.0);"), ['a.ts:2 0.35']);
  assert.ok(SOURCES.length > 100);
  assert.deepEqual(
    SOURCES.flatMap(({ file, text }) => decimalsIn(file, text)),
    [],
    'add a row to shared/detection/operating-points instead',
  );
});

test('every operating point is used', () => {
  const all = SOURCES.map(({ text }) => text).join('\n');
  for (const [table, values] of Object.entries(TABLES))
    for (const name of Object.keys(values)) assert.match(all, new RegExp(`\\b${table}\\.${name}\\b`), name);
});

test('confidences, thresholds and shares of one are within 0 and 1', () => {
  for (const [name, value] of Object.entries({ ...VALUE, ...DECISION, ...TEXT, ...UNIT })) {
    if (/[sS]hift|Entropy/.test(name)) continue;
    assert.ok(value > 0 && value < 1, `${name} ${value}`);
  }
});
