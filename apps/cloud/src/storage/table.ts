/** A column: its type in records and its stored type. The types are the only use of `value` and `stored`. */
export interface Column<Value, Stored = Value> {
  readonly kind: 'plain' | 'flag' | 'json';
  /** The value that null is read as. */
  readonly whenNull?: unknown;
  readonly value?: Value;
  readonly stored?: Stored;
}

/** A column that is not part of records: hashes, sealed values, values only used for comparison. */
export interface HiddenColumn<Stored> extends Column<never, Stored> {
  readonly isHidden: true;
}

type Columns = Readonly<Record<string, Column<unknown, unknown>>>;

const plain = <T>(): Column<T> => ({ kind: 'plain' });

export const text = plain<string>();
export const number = plain<number>();
export const bytes = plain<Buffer>();
/** Text with a fixed set of values. */
export const word = <T extends string>(): Column<T> => plain<T>();
/** Stored as 0 or 1. */
export const flag: Column<boolean, number> = { kind: 'flag' };
/** Lists and objects, stored as text. */
export const json = <T>(): Column<T, string> => ({ kind: 'json' });

/** Like `json`, but null is read as `whenNull`. */
export const jsonOr = <T>(whenNull: T): Column<T, string | null> => ({ kind: 'json', whenNull });

export const orNull = <Value, Stored>(column: Column<Value, Stored>): Column<Value | null, Stored | null> =>
  column;

export const hidden = <Stored>(column: Column<unknown, Stored>): HiddenColumn<Stored> =>
  ({ ...column, isHidden: true }) as HiddenColumn<Stored>;

type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : S;

type StoredOf<C> = C extends Column<unknown, infer Stored> ? Stored : never;
type ValueOf<C> = C extends Column<infer Value, unknown> ? Value : never;

/** A row as Kysely sees it. */
export type RowOf<T> =
  T extends Table<infer C> ? { [Name in keyof C & string as SnakeCase<Name>]: StoredOf<C[Name]> } : never;

/** The record that is read from a row. */
export type RecordOf<T> =
  T extends Table<infer C>
    ? { readonly [Name in keyof C as C[Name] extends HiddenColumn<unknown> ? never : Name]: ValueOf<C[Name]> }
    : never;

export interface Table<C extends Columns> {
  readonly columns: C;
  /** Reads the record from a row, which may have further columns. */
  read(row: RowOf<Table<C>>): RecordOf<Table<C>>;
  /** null: there is no row. */
  readOrNull(row: RowOf<Table<C>> | undefined): RecordOf<Table<C>> | null;
}

/**
 * Defines a table by its columns, with the names used in records: `createdAtMs` is the column `created_at_ms`. The
 * types of rows and records, and the conversion between them, are derived from it.
 */
export function table<C extends Columns>(columns: C): Table<C> {
  const visible = Object.entries(columns)
    .filter(([, column]) => !('isHidden' in column))
    .map(([name, { kind, whenNull = null }]) => ({ name, kind, whenNull, column: snakeCase(name) }));
  // Copying a blank record and filling it is faster than adding the members one by one.
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries(
    visible.map(({ name }) => [name, null]),
  );
  const read = (row: RowOf<Table<C>>) => {
    const stored = row as Readonly<Record<string, unknown>>;
    const record = { ...blank };
    for (const { name, kind, whenNull, column } of visible) {
      const value = stored[column];
      record[name] = value === null ? whenNull : kind === 'plain' ? value : READ[kind](value);
    }
    return record as RecordOf<Table<C>>;
  };
  return { columns, read, readOrNull: (row) => (row === undefined ? null : read(row)) };
}

const READ: Readonly<Record<Column<unknown>['kind'], (stored: unknown) => unknown>> = {
  plain: (stored) => stored,
  flag: (stored) => stored === 1,
  json: (stored) => JSON.parse(stored as string),
};

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
