import { Alert, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { QueryState } from '../use-bridge-query.ts';

/** Shows the data, the error or a skeleton of a query. */
export function Loaded<T>(props: {
  readonly read: QueryState<T>;
  readonly children: (value: T) => ReactNode;
}) {
  const { read } = props;
  if (read.kind === 'loading') return <Skeleton height={140} aria-label="Loading" />;
  return read.kind === 'ok' ? props.children(read.value) : <ErrorAlert message={read.message} />;
}

export function ErrorAlert(props: { readonly message: string }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {props.message}
    </Alert>
  );
}
