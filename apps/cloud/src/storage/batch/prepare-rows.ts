import type SqliteDatabase from 'better-sqlite3';

/** More than this in one statement gains nothing. */
const MAX_ROWS = 16;

/**
 * An INSERT of as many rows as there are, up to 16 in one statement: calling SQLite costs about as much as a row.
 * `textOf` gets the text behind VALUES. Returns how many rows were written.
 */
export function prepareRows<Row>(
  db: SqliteDatabase.Database,
  columns: number,
  textOf: (values: string) => string,
  valuesOf: (row: Row) => readonly unknown[],
): (rows: readonly Row[]) => number {
  const row = `(${Array(columns).fill('?').join(',')})`;
  const statements = new Map<number, SqliteDatabase.Statement>();

  function statementFor(count: number): SqliteDatabase.Statement {
    let statement = statements.get(count);
    if (statement === undefined) {
      statement = db.prepare(textOf(Array(count).fill(row).join(',')));
      statements.set(count, statement);
    }
    return statement;
  }

  return (rows) => {
    let written = 0;
    for (let from = 0; from < rows.length; from += MAX_ROWS) {
      const values: unknown[] = [];
      const until = Math.min(from + MAX_ROWS, rows.length);
      for (let at = from; at < until; at++) values.push(...valuesOf(rows[at]!));
      // Spread: out of an array the driver takes them more slowly, 6 % of the whole record.
      written += statementFor(until - from).run(...values).changes;
    }
    return written;
  };
}
