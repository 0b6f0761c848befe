import type { WebhookDeliveryDetail, WebhookDeliveryRecord } from '@csg/shared/contract';
import {
  Badge,
  Button,
  Code,
  Group,
  List,
  Modal,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { StateBadge } from '../../components/badges.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

type Delivery = Omit<WebhookDeliveryRecord, 'webhook_id'>;
interface Deliveries {
  readonly deliveries: Delivery[];
  readonly next: string | null;
}
const REFETCH_MS = 5_000;

/** Deliveries with their attempts and the responses of the endpoint. */
export function DeliveryList(props: {
  readonly path: string;
  /** Attempts of one delivery at most. */
  readonly attempts: number;
  readonly canRetry: boolean;
}) {
  const { path, attempts: most } = props;
  const [status, setStatus] = useState('');
  const [opened, setOpened] = useState<Delivery | null>(null);
  const read = useInfiniteQuery<Deliveries, ApiError>({
    queryKey: [path, status],
    queryFn: ({ pageParam, signal }) =>
      callApi<Deliveries>('GET', path, {
        query: { status, before: pageParam as string },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    refetchInterval: (query) => (query.state.data?.pages.length === 1 ? REFETCH_MS : false),
  });
  const retry = useApiMutation((id: string) => callApi('POST', `/webhook-deliveries/${id}/retry`), {
    refresh: [path],
    successMessage: 'Retry scheduled.',
  });
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Filter deliveries"
        value={status}
        onChange={setStatus}
        style={{ alignSelf: 'flex-start' }}
        data={[
          { value: '', label: 'All' },
          { value: 'pending', label: 'Pending' },
          { value: 'delivered', label: 'Delivered' },
          { value: 'failed', label: 'Failed' },
        ]}
      />
      <DataTable
        label="Deliveries"
        rows={read.data?.pages.flatMap(({ deliveries }) => deliveries)}
        rowKey={({ id }) => id}
        error={read.error}
        retry={() => read.refetch()}
        onOpen={setOpened}
        empty={
          <Empty icon={<IconWebhook size={22} />} title="No deliveries yet">
            Send a test, and it is listed here. Events are delivered automatically once they happen.
          </Empty>
        }
        columns={[
          {
            title: 'Event',
            isName: true,
            cell: (delivery) => (
              <Group gap={6}>
                <Button
                  variant="transparent"
                  size="compact-sm"
                  p={0}
                  fw={500}
                  onClick={() => setOpened(delivery)}
                  aria-label={`Open ${delivery.event}`}
                >
                  {delivery.event}
                </Button>
                {delivery.is_test && <Badge color="blue">test</Badge>}
              </Group>
            ),
          },
          { title: 'State', cell: ({ status }) => <StateBadge state={status} /> },
          {
            title: 'Attempts',
            align: 'right',
            // A test event is sent once.
            cell: ({ attempts, is_test }) => (is_test ? attempts : `${attempts} of ${most}`),
          },
          { title: 'Response', cell: ({ response_status }) => response_status ?? '–' },
          {
            title: 'Last error',
            cell: ({ last_error }) => (
              <Text size="sm" maw={260}>
                {last_error ?? '–'}
              </Text>
            ),
          },
          {
            title: 'Time',
            cell: ({ created_at, next_attempt_at }) => (
              <>
                <TimeAgo at={created_at} />
                {next_attempt_at !== null && (
                  <Text size="xs" c="dimmed">
                    {Date.parse(next_attempt_at) <= Date.now() ? (
                      'queued'
                    ) : (
                      <>
                        next attempt <TimeAgo at={next_attempt_at} />
                      </>
                    )}
                  </Text>
                )}
              </>
            ),
          },
          {
            title: 'Actions',
            hideTitle: true,
            align: 'right',
            cell: ({ id, status }) =>
              props.canRetry && status === 'failed' ? (
                <Button size="compact-sm" variant="light" onClick={() => retry.mutate(id)}>
                  Retry
                </Button>
              ) : null,
          },
        ]}
      />
      {read.hasNextPage && (
        <Group justify="center">
          <Button variant="default" onClick={() => read.fetchNextPage()} loading={read.isFetchingNextPage}>
            Show older deliveries
          </Button>
        </Group>
      )}
      {opened !== null && (
        <DeliveryDialog delivery={opened} attempts={most} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function DeliveryDialog(props: {
  readonly delivery: Delivery;
  readonly attempts: number;
  readonly onClose: () => void;
}) {
  const { delivery } = props;
  const read = useApiQuery<WebhookDeliveryDetail>(`/webhook-deliveries/${delivery.id}`);
  return (
    <Modal opened onClose={props.onClose} title={delivery.event} size="lg">
      <Stack gap="sm">
        <Group gap="sm">
          <StateBadge state={delivery.status} />
          <Text size="sm">
            {delivery.attempts} of {props.attempts} attempts
            {delivery.response_status !== null && `, last response ${delivery.response_status}`}
          </Text>
        </Group>
        {delivery.last_error !== null && <Text size="sm">{delivery.last_error}</Text>}
        <Text size="sm" c="dimmed">
          X-Service-Delivery: <Code>{delivery.id}</Code> (the same in every attempt)
        </Text>
        {read.data === undefined ? (
          <Skeleton height={160} />
        ) : (
          <>
            <List size="sm" type="ordered" aria-label="Attempts">
              {read.data.attempt_log.map((attempt) => (
                <List.Item key={attempt.number}>
                  <TimeAgo at={attempt.at} />: {attempt.error ?? `accepted (${attempt.response_status})`},{' '}
                  {attempt.duration_ms} ms
                  {attempt.response_excerpt !== null && (
                    <Code block mt={4} mah={160} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                      {attempt.response_excerpt}
                    </Code>
                  )}
                </List.Item>
              ))}
            </List>
            <Text size="sm" fw={500}>
              Request body (the same in every attempt)
            </Text>
            <Code block>{JSON.stringify(read.data.payload, null, 2)}</Code>
          </>
        )}
      </Stack>
    </Modal>
  );
}
