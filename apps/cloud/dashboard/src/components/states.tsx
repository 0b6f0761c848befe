import { Alert, Button, Group, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ApiError } from '../data/api.ts';

/** An empty state: what appears here, and one action that leads to it. */
export function Empty(props: {
  readonly icon?: ReactNode;
  readonly title: string;
  /** True if it fills the page, so that its title is the page's heading. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      {props.icon !== undefined && (
        <ThemeIcon variant="light" size={44} radius="xl" aria-hidden>
          {props.icon}
        </ThemeIcon>
      )}
      <Title order={props.isPage ? 1 : 2} size="h3" mt={4}>
        {props.title}
      </Title>
      {props.children !== undefined && (
        <Text size="sm" c="dimmed" maw="34rem" component="div">
          {props.children}
        </Text>
      )}
      {props.action !== undefined && <Group mt="sm">{props.action}</Group>}
    </Stack>
  );
}

/** A failed request with its reason and a retry button. */
export function ErrorAlert(props: { readonly error: ApiError; readonly retry?: () => void }) {
  const { error } = props;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={titleOf(error)} role="alert">
      <Text size="sm">{error.message}</Text>
      {props.retry !== undefined && (
        <Button mt="sm" size="xs" variant="default" onClick={props.retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

function titleOf({ status, code }: ApiError): string {
  if (code === 'unreachable') return 'No response';
  if (code === 'request_blocked' || code === 'response_blocked') return 'Blocked by policy';
  if (status === 403) return 'Access denied';
  if (status === 404) return 'Not found';
  return 'Request failed';
}

/** Shows the data, the error or a skeleton of a query. */
export function Loaded<Data>(props: {
  readonly read: {
    readonly data: Data | undefined;
    readonly error: ApiError | null;
    refetch(): unknown;
  };
  /** Height of the skeleton, so that the page does not move when the data arrives. */
  readonly height?: number;
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, error } = props.read;
  if (data !== undefined) return props.children(data);
  if (error !== null) return <ErrorAlert error={error} retry={() => props.read.refetch()} />;
  return <Skeleton height={props.height ?? 200} radius="md" aria-label="Loading" />;
}
