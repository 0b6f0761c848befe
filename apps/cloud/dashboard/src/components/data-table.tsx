import { Skeleton, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiError } from '../data/api.ts';
import styles from './data-table.module.css';
import { ErrorAlert } from './states.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'right';
  /** The row's name; on a phone it is the title of the card. */
  readonly isName?: boolean;
  /** Hidden on narrow screens. */
  readonly wideOnly?: boolean;
  /** The title is only for screen readers. */
  readonly hideTitle?: boolean;
}

const ROWS_EXPECTED = 5;

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
  /** True while other rows are loading. */
  readonly isStale?: boolean;
}) {
  const { columns, rows, error } = props;
  if (rows === undefined && error) {
    return <ErrorAlert error={error} {...(props.retry === undefined ? {} : { retry: props.retry })} />;
  }
  if (rows?.length === 0) return props.empty;
  const classOf = (column: Column<Row>) =>
    [
      column.align === 'right' ? styles.right : '',
      column.isName ? styles.name : '',
      column.wideOnly ? styles.wide : '',
    ].join(' ');
  return (
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
            <Table.Th key={column.title} scope="col" className={classOf(column)}>
              {column.hideTitle ? <span className={styles.heard}>{column.title}</span> : column.title}
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
                  if ((event.target as Element).closest('a,button,input,label') === null) props.onOpen?.(row);
                }}
                data-dim={props.isDim?.(row) || undefined}
              >
                {columns.map((column) => (
                  <Table.Td
                    key={column.title}
                    className={classOf(column)}
                    data-label={column.hideTitle ? undefined : column.title}
                  >
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
      </Table.Tbody>
    </Table>
  );
}
