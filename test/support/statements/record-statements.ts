/**
 * Records which statements the methods of storage run: test/golden/statements.jsonl, a line for each. The tests on
 * every engine fail on a statement that is not in it, so that storage-costs.test.ts measures each. To write it anew:
 *
 *     rm test/golden/statements.jsonl
 *     RECORD_STATEMENTS=1 npm test -- $(grep -rl onEveryEngine test --include='*.test.ts' | grep -v costs)
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CompiledQuery, SqliteQueryCompiler } from 'kysely';
import type { Storage } from '../../../apps/cloud/src/storage/storage.ts';

/** A statement of the repositories, as SQLite gets it. */
export interface RecordedStatement {
  /** A list of placeholders is `in (?…)`, whatever its length; of a plain insert only the beginning. */
  readonly sql: string;
  /** One for each placeholder: a value, or the kind of one: `$org`, `$time`, `$text`, `$bytes`. */
  readonly parameters: readonly unknown[];
  /** Methods that run it: `events.page`. */
  readonly methods: readonly string[];
}

const FILE = path.resolve(import.meta.dirname, '../../golden/statements.jsonl');
const isRecording = process.env['RECORD_STATEMENTS'] === '1';
const method = new AsyncLocalStorage<string>();
const seen = new Map<string, RecordedStatement>();

export function readStatements(): readonly RecordedStatement[] {
  if (!existsSync(FILE)) return [];
  const lines = readFileSync(FILE, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as RecordedStatement);
}

/** Returns the storage; what its methods run is recorded under their names. */
export function recordedStorage(storage: Storage): Storage {
  listen();
  const transaction: Storage['transaction'] = (work) =>
    storage.transaction((repositories) => work(named(repositories)));
  return { ...named(storage), transaction };
}

/** Returns the methods of all repositories: `events.page`. */
export function methodsOf(storage: object): readonly string[] {
  return Object.entries(storage).flatMap(([repository, methods]) =>
    typeof methods !== 'object'
      ? []
      : Object.entries(methods as object)
          .filter(([, value]) => typeof value === 'function')
          .map(([name]) => `${repository}.${name}`),
  );
}

/** Returns the recorded statements that the list does not have; adds them to it when recording. */
export function unlistedStatements(): readonly string[] {
  const listed = new Map(readStatements().map((one) => [one.sql, one.methods]));
  const isListed = ({ sql, methods }: RecordedStatement) =>
    methods.every((name) => listed.get(sql)?.includes(name));
  const unlisted = [...seen.values()].filter((one) => !isListed(one));
  if (!isRecording) return unlisted.map(({ sql, methods }) => `${methods}: ${sql}`);
  if (unlisted.length > 0) addToList(unlisted);
  return [];
}

function named<T extends object>(repositories: T): T {
  const wrapped = Object.entries(repositories).map(([repository, methods]) => {
    if (typeof methods !== 'object') return [repository, methods];
    const calls = Object.entries(methods as object).map(([name, value]) => [
      name,
      typeof value === 'function'
        ? (...given: unknown[]) => method.run(`${repository}.${name}`, () => value.apply(methods, given))
        : value,
    ]);
    return [repository, Object.fromEntries(calls)];
  });
  return Object.fromEntries(wrapped) as T;
}

let isListening = false;

function listen(): void {
  if (isListening) return;
  isListening = true;
  const compile = SqliteQueryCompiler.prototype.compileQuery;
  SqliteQueryCompiler.prototype.compileQuery = function (...given) {
    const query = compile.apply(this, given) as CompiledQuery<never>;
    const name = method.getStore();
    if (name !== undefined) note(query, name);
    return query;
  };
}

function note({ sql, parameters }: CompiledQuery, name: string): void {
  const one = isPlainInsert(sql)
    ? { sql: sql.replace(/ values .*/s, ''), parameters: [] }
    : withoutLengths(sql.trim().replace(/\s+/g, ' '), parameters.map(kindOf));
  const known = seen.get(one.sql);
  const methods = [...new Set([...(known?.methods ?? []), name])].sort();
  seen.set(one.sql, { ...(known ?? one), methods });
}

/** Adding rows costs the same in a large table. */
const isPlainInsert = (sql: string): boolean => /^insert [^?]* values /.test(sql);

function withoutLengths(sql: string, kinds: readonly unknown[]) {
  let at = 0;
  const parameters: unknown[] = [];
  const shape = sql.replace(/ in \(\?(?:, \?)*\)|\?/g, (found) => {
    parameters.push(kinds[at]);
    at += found.split('?').length - 1;
    return found === '?' ? '?' : ' in (?…)';
  });
  return { sql: shape, parameters };
}

const PLAIN_NUMBER = 100_000;

function kindOf(value: unknown): unknown {
  if (typeof value === 'number') return Math.abs(value) > PLAIN_NUMBER ? '$time' : value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint8Array) return '$bytes';
  if (typeof value !== 'string') return value;
  const [, prefix] = /^([a-z]{2,5})_[0-9A-Za-z_]+$/.exec(value) ?? [];
  if (prefix !== undefined && prefix !== 'policy') return `$${prefix}`;
  return /^[a-z][a-z_.]{1,30}$/.test(value) ? value : '$text';
}

function addToList(statements: readonly RecordedStatement[]): void {
  const lock = `${FILE}.lock`;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  const all = new Map(readStatements().map((one) => [one.sql, one]));
  for (const one of statements) {
    const known = all.get(one.sql);
    const methods = [...new Set([...(known?.methods ?? []), ...one.methods])].sort();
    const [parameters] = [known?.parameters ?? one.parameters, one.parameters].toSorted((a, b) =>
      JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
    );
    all.set(one.sql, { sql: one.sql, parameters: parameters!, methods });
  }
  const lines = [...all.values()].map((one) => JSON.stringify(one)).sort();
  writeFileSync(`${FILE}.new`, `${lines.join('\n')}\n`);
  renameSync(`${FILE}.new`, FILE);
  rmdirSync(lock);
}
