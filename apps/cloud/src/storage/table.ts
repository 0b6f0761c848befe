/** A column: what it is outside of storage, and how it is stored. The types are all that `value` and `stored` carry. */
export interface Column<Value, Stored = Value> {
  readonly kind: 'plain' | 'flag' | 'json';
  /** What null is read as. */
  readonly whenNull?: unknown;
  readonly value?: Value;
  readonly stored?: Stored;
}

/** A column that records do not have: hashes, sealed values, what is only compared. */
export interface HiddenColumn<Stored> extends Column<never, Stored> {
  readonly isHidden: true;
}

type Columns = Readonly<Record<string, Column<unknown, unknown>>>;

const plain = <T>(): Column<T> => ({ kind: 'plain' });

export const text = plain<string>();
export const number = plain<number>();
export const bytes = plain<Buffer>();
/** Text that is one of a few words. */
export const word = <T extends string>(): Column<T> => plain<T>();
/** 0 or 1. */
export const flag: Column<boolean, number> = { kind: 'flag' };
/** Lists and objects, as text. */
export const json = <T>(): Column<T, string> => ({ kind: 'json' });

/** As `json`; null is read as `whenNull`. */
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

/** What is read of a row. */
export type RecordOf<T> =
  T extends Table<infer C>
    ? { readonly [Name in keyof C as C[Name] extends HiddenColumn<unknown> ? never : Name]: ValueOf<C[Name]> }
    : never;

export interface Table<C extends Columns> {
  readonly columns: C;
  /** The record in a row, whatever else the row has. */
  read(row: RowOf<Table<C>>): RecordOf<Table<C>>;
  /** null: there is no row. */
  readOrNull(row: RowOf<Table<C>> | undefined): RecordOf<Table<C>> | null;
}

/**
 * A table, column by column, by the names that records have: `createdAtMs` is the column `created_at_ms`. The types of
 * rows and records, and what is between them, follow from it.
 */
export function table<C extends Columns>(columns: C): Table<C> {
  const visible = Object.entries(columns)
    .filter(([, column]) => !('isHidden' in column))
    .map(([name, { kind, whenNull = null }]) => ({ name, kind, whenNull, column: snakeCase(name) }));
  // Copying a blank one and filling it is faster than adding the members one by one.
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
