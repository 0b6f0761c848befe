import { Alert, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Read } from '../use-read.ts';

/** The three ends of a question, so that no page forgets one. */
export function Loaded<T>(props: { readonly read: Read<T>; readonly children: (value: T) => ReactNode }) {
  const { read } = props;
  if (read.kind === 'loading') return <Skeleton height={140} aria-label="Loading" />;
  return read.kind === 'ok' ? props.children(read.value) : <Fault sentence={read.sentence} />;
}

export function Fault(props: { readonly sentence: string }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {props.sentence}
    </Alert>
  );
}
