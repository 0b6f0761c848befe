import { Button, Group, Skeleton, Table, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../data/api.ts';
import { countText } from '../data/format.ts';
import styles from './data-table.module.css';
import { ErrorAlert } from './states.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'right';
  /** The row's name; on a phone it is the title of the card. */
  readonly isName?: boolean;
  /** Hidden on narrow screens; with `or-card`, shown where rows are cards. */
  readonly wideOnly?: boolean | 'or-card';
  /** On a card, the value is shown without the title, in half of the width or on a line of its own. */
  readonly untitled?: 'half' | 'line';
  /** The value to sort by when the title is pressed; null and empty values come last. Only for complete lists. */
  readonly sortBy?: (row: Row) => string | number | null;
  /** Name of an order of the service, requested when the title is pressed (see `order`). */
  readonly orderName?: string;
  /** The title is only for screen readers. */
  readonly hideTitle?: boolean;
}

const ROWS_EXPECTED = 5;
/** Rendering hundreds of rows takes seconds on a slow computer. */
const STEP = 25;

interface Sorting {
  readonly title: string;
  readonly isDescending: boolean;
}

/** An order that the service can sort by. */
export interface ServiceOrder {
  readonly name: string;
  readonly isDescending: boolean;
}

/** A table; on a phone each row is a card. Shows a skeleton while it loads. */
export function DataTable<Row>(props: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly error?: ApiError | null;
  readonly retry?: () => void;
  readonly empty: ReactNode;
  readonly onOpen?: (row: Row) => void;
  readonly isDim?: (row: Row) => boolean;
  /** For complete lists that may be long: shows 25 rows, and more on request. */
  readonly inSteps?: boolean;
  /** The current order of the rows, for columns with an `orderName`. */
  readonly order?: ServiceOrder;
  readonly onOrder?: (order: ServiceOrder) => void;
  /** True while other rows are loading. */
  readonly isStale?: boolean;
}) {
  const { columns, error } = props;
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [shown, setShown] = useState(STEP);
  const rows = sortRows(props.rows, columns, sorting)?.slice(0, props.inSteps ? shown : undefined);
  if (rows === undefined && error) {
    return <ErrorAlert error={error} {...(props.retry === undefined ? {} : { retry: props.retry })} />;
  }
  if (rows?.length === 0) return props.empty;
  const classOf = (column: Column<Row>) =>
    [
      column.align === 'right' ? styles.right : '',
      column.isName ? styles.name : '',
      column.wideOnly ? styles.wide : '',
      column.wideOnly === 'or-card' ? styles.card : '',
      column.untitled === 'line' ? styles.line : '',
    ].join(' ');
  const total = props.rows?.length ?? 0;
  return (
    <>
      <Table
        className={styles.table}
        aria-label={props.label}
        aria-busy={rows === undefined || props.isStale === true}
        highlightOnHover={props.onOpen !== undefined}
        style={{ opacity: props.isStale ? 0.55 : 1 }}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th
                key={column.title}
                scope="col"
                className={classOf(column)}
                aria-sort={ariaSort(column, sorting, props.order)}
              >
                {column.hideTitle ? (
                  <span className={styles.heard}>{column.title}</span>
                ) : column.orderName !== undefined ? (
                  <OrderButton title={column.title} name={column.orderName} {...props} />
                ) : column.sortBy === undefined ? (
                  column.title
                ) : (
                  <SortButton title={column.title} sorting={sorting} onChange={setSorting} />
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined
            ? Array.from({ length: ROWS_EXPECTED }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                <Table.Tr key={index}>
                  {columns.map((column) => (
                    <Table.Td key={column.title} className={classOf(column)}>
                      <Skeleton height={14} my={5} width={column.isName ? '70%' : '50%'} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))
            : rows.map((row) => (
                <Table.Tr
                  key={props.rowKey(row)}
                  className={props.onOpen === undefined ? undefined : styles.open}
                  onClick={(event) => {
                    // Buttons and links in a row have their own actions.
                    if ((event.target as Element).closest('a,button,input,label') === null)
                      props.onOpen?.(row);
                  }}
                  data-dim={props.isDim?.(row) || undefined}
                >
                  {columns.map((column) => {
                    const content = column.cell(row);
                    return (
                      <Table.Td
                        key={column.title}
                        className={classOf(column)}
                        data-label={column.hideTitle || column.untitled ? undefined : column.title}
                        data-empty={content === '–' || undefined}
                      >
                        {content}
                      </Table.Td>
                    );
                  })}
                </Table.Tr>
              ))}
        </Table.Tbody>
      </Table>
      {props.inSteps && total > shown && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={() => setShown(shown + STEP)}>
            Show more of {countText(total)}
          </Button>
        </Group>
      )}
    </>
  );
}

/** Sorts ascending, then descending, then in the original order. */
function SortButton(props: {
  readonly title: string;
  readonly sorting: Sorting | null;
  readonly onChange: (sorting: Sorting | null) => void;
}) {
  const { title, sorting } = props;
  const isSorted = sorting?.title === title;
  return (
    <UnstyledButton
      className={styles.sort}
      onClick={() =>
        props.onChange(isSorted && sorting.isDescending ? null : { title, isDescending: isSorted })
      }
    >
      {title}
    </UnstyledButton>
  );
}

/** Sorts descending first, because people usually look for the newest and the highest values. */
function OrderButton(props: {
  readonly title: string;
  readonly name: string;
  readonly order?: ServiceOrder;
  readonly onOrder?: (order: ServiceOrder) => void;
}) {
  const { title, name, order } = props;
  return (
    <UnstyledButton
      className={styles.sort}
      onClick={() => props.onOrder?.({ name, isDescending: order?.name !== name || !order.isDescending })}
    >
      {title}
    </UnstyledButton>
  );
}

function ariaSort<Row>(
  { title, sortBy, orderName }: Column<Row>,
  sorting: Sorting | null,
  order: ServiceOrder | undefined,
) {
  if (orderName !== undefined) {
    if (order?.name !== orderName) return 'none';
    return order.isDescending ? 'descending' : 'ascending';
  }
  if (sortBy === undefined) return undefined;
  if (sorting?.title !== title) return 'none';
  return sorting.isDescending ? 'descending' : 'ascending';
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function sortRows<Row>(
  rows: readonly Row[] | undefined,
  columns: readonly Column<Row>[],
  sorting: Sorting | null,
): readonly Row[] | undefined {
  const sortBy = columns.find(({ title }) => title === sorting?.title)?.sortBy;
  if (rows === undefined || sorting === null || sortBy === undefined) return rows;
  const direction = sorting.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [sortBy(a), sortBy(b)];
    const [isLeftEmpty, isRightEmpty] = [left === null || left === '', right === null || right === ''];
    if (isLeftEmpty || isRightEmpty) return Number(isLeftEmpty) - Number(isRightEmpty);
    if (typeof left === 'number' && typeof right === 'number') return direction * (left - right);
    return direction * COLLATOR.compare(String(left), String(right));
  });
}
