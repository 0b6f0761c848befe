/**
 * Loaded by `--import` into a process that is to be killed, before any other code of ours: the harness moves its clock,
 * so that no lease expires because the computer is slow, and the process ends itself by SIGKILL at a statement or commit that the harness names. No code of the process runs
 * after that.
 */
import { flushCompileCache } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import Database from 'better-sqlite3';
import pg from 'pg';
import { CLOCK_VARIABLE, type HookCommand, type SqlMoment } from './moment.ts';

let moment: (Omit<SqlMoment, 'statement'> & { readonly statement: RegExp }) | null = null;
let seen = 0;
const start = process.env[CLOCK_VARIABLE];
let nowMs = Number(start);

if (start !== undefined) Date.now = () => nowMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, made) =>
    Reflect.construct(target, parts.length === 0 ? [target.now()] : parts, made),
});

if (isMainThread && process.send !== undefined) {
  process.on('message', (message: HookCommand) => {
    if (message.order === 'advance') nowMs += message.ms;
    else if (message.order === 'arm') {
      moment = { ...message.moment, statement: new RegExp(message.moment.statement, 'i') };
      seen = 0;
      // A killed process would not leave its compiled code to the next one.
      flushCompileCache();
    } else return;
    process.send?.({ done: message.order });
  });
  // The process that supervised this one is gone.
  process.on('disconnect', end);
  // This alone must not keep a process alive.
  process.channel?.unref();
}

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Returns whether this is the statement that the harness named. */
function isNamed(text: string, values: readonly unknown[]): boolean {
  if (moment === null || !moment.statement.test(text)) return false;
  if (moment.holds !== undefined && !JSON.stringify(values).includes(moment.holds)) return false;
  seen += 1;
  return seen === (moment.nth ?? 1);
}

/** Transactions with the named statement. */
const doomed = new WeakSet<object>();

function began(connection: object): void {
  doomed.delete(connection);
}
function wrote(connection: object, text: string, values: readonly unknown[]): void {
  if (!isNamed(text, values)) return;
  if (moment?.when === 'written') end();
  doomed.add(connection);
}
function commits(connection: object): void {
  if (doomed.has(connection) && moment?.when === 'committing') end();
}
function committed(connection: object): void {
  if (doomed.has(connection)) end();
}

type Run = (...values: unknown[]) => unknown;

const { prepare, transaction } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, text: string) {
  const statement = prepare.call(this, text);
  for (const name of ['run', 'get', 'all'] as const) {
    const original = statement[name] as Run;
    const wrapped: Run = (...values) => {
      if (/^\s*commit/i.test(text)) commits(this);
      const result = original.apply(statement, values);
      if (/^\s*commit/i.test(text)) committed(this);
      else if (/^\s*(begin|rollback)/i.test(text)) began(this);
      else wrote(this, text, values);
      return result;
    };
    Object.defineProperty(statement, name, { value: wrapped });
  }
  return statement;
} as typeof prepare;
// Its own BEGIN and COMMIT bypass `prepare`.
Database.prototype.transaction = function (this: Database.Database, work: Run) {
  const run = transaction.call(this, (...values: unknown[]) => {
    began(this);
    const result = work(...values);
    commits(this);
    return result;
  });
  return (...values: unknown[]) => {
    const result = run(...values);
    committed(this);
    return result;
  };
} as typeof transaction;

const { query } = pg.Client.prototype as unknown as { query: Run };
const inTransaction = new WeakSet<object>();
(pg.Client.prototype as unknown as { query: Run }).query = function (this: object, ...parts: unknown[]) {
  const [first, second] = parts;
  const text = typeof first === 'string' ? first : String((first as { text?: string }).text);
  const given = typeof first === 'string' ? second : (first as { values?: unknown }).values;
  const values = Array.isArray(given) ? given : [];
  const isCommit = /^\s*commit/i.test(text);
  if (/^\s*begin/i.test(text)) {
    began(this);
    inTransaction.add(this);
  }
  const named = !isCommit && isNamed(text, values);
  if (named) doomed.add(this);
  const isOver = isCommit || !inTransaction.has(this);
  if (isCommit || /^\s*rollback/i.test(text)) inTransaction.delete(this);

  const answered = (): void => {
    if (named && moment?.when === 'written') end();
    if (isOver) committed(this);
  };
  const at = parts.findIndex((part) => typeof part === 'function');
  const callback = parts[at] as Run | undefined;
  if (callback !== undefined) {
    parts[at] = (...results: unknown[]) => {
      if (results[0] == null) answered();
      return callback(...results);
    };
  }
  const sent = query.apply(this, parts);
  // A message on its way to the server cannot be recalled: whether it takes effect is unknown here.
  if (doomed.has(this) && isOver && moment?.when !== 'committed') end();
  return callback !== undefined || !(sent instanceof Promise)
    ? sent
    : sent.then((result) => {
        answered();
        return result;
      });
};
