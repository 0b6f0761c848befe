/**
 * Every statement of the repositories, measured on large tables: SQLite's virtual-machine steps, counted by a small
 * extension because they depend on nothing but the plan, and the rows that PostgreSQL's plan visited.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { missingTool } from '../../scripts/system-tools.ts';
import { noPostgres } from '../support/databases.ts';
import { isWhole } from '../support/part.ts';
import { isTooCostly } from '../support/statements/costs.ts';
import { openPostgresVolume, openSqliteVolume, type Volume } from '../support/statements/open-volume.ts';
import {
  methodsOf,
  type RecordedStatement,
  readStatements,
} from '../support/statements/record-statements.ts';
import { REVIEWED, UNRECORDED } from '../support/statements/reviewed-costs.ts';
import { onEveryEngine } from './storage-engines.ts';

const ROWS = isWhole ? [100_000, 1_000_000] : [10_000];

const ENGINES = [
  { name: 'SQLite', open: openSqliteVolume, skip: missingTool(['compiler']) },
  { name: 'PostgreSQL', open: openPostgresVolume, skip: noPostgres },
] as const;

const statements = readStatements();

describe('Costs of statements', () => {
  for (const { name, open, skip } of ENGINES)
    for (const rows of ROWS)
      test(`on ${name} with ${rows} rows in every table`, { skip }, async () => {
        const folder = mkdtempSync(path.join(tmpdir(), 'csg-volume-'));
        const volume = await open(folder, rows);
        try {
          assert.deepEqual(await costly(volume), []);
        } finally {
          await volume.close();
          rmSync(folder, { recursive: true, force: true });
        }
      });
});

onEveryEngine('Measured methods', (engine) => {
  test('are all methods of storage', async () => {
    const recorded = new Set([...statements.flatMap(({ methods }) => methods), ...Object.keys(UNRECORDED)]);
    const all = methodsOf(await engine.open());
    assert.deepEqual(
      all.filter((method) => !recorded.has(method)),
      [],
    );
    const known = new Set(all);
    assert.deepEqual(
      [...Object.keys(UNRECORDED), ...REVIEWED.map(({ method }) => method)].filter(
        (method) => !known.has(method),
      ),
      [],
      'reviewed, but no method',
    );
    assert.deepEqual(
      REVIEWED.filter(
        ({ method, part }) =>
          !statements.some((one) => one.methods.includes(method) && one.sql.includes(part)),
      ),
      [],
      'reviewed, but no statement',
    );
  });
});

async function costly(volume: Volume): Promise<string[]> {
  const found: string[] = [];
  for (const statement of statements) {
    // Adding rows costs the same in a large table.
    if (statement.sql.startsWith('insert') && !statement.sql.includes(' select ')) continue;
    if (isReviewed(statement)) continue;
    const factor = await volume.factorOf(statement);
    if (isTooCostly(factor)) found.push(`${Math.round(factor)} × ${statement.methods}: ${statement.sql}`);
  }
  return found;
}

/** Every method that runs it has its reason. */
const isReviewed = ({ methods, sql }: RecordedStatement): boolean =>
  methods.every((name) => REVIEWED.some(({ method, part }) => method === name && sql.includes(part)));
