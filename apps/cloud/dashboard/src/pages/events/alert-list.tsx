import type { AlertRecord, EndpointRecord } from '@csg/shared/contract';
import { Anchor, Card, Text } from '@mantine/core';
import { IconBellRinging } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { countText } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { WINDOWS } from './add-alert.tsx';

/** The organization's alerts. Their names lead to the events that they count. */
export function AlertList() {
  const read = useApiQuery<AlertRecord[]>('/alerts');
  const columns = useColumns();
  return (
    <Card p={{ base: 'sm', sm: 'md' }}>
      <DataTable
        label="Alerts"
        rows={read.data}
        rowKey={({ id }) => id}
        error={read.error}
        retry={() => read.refetch()}
        empty={
          <Empty icon={<IconBellRinging size={22} />} title="No alerts yet">
            Filter the events, then select "Alert": a notification target is told when so many match.
          </Empty>
        }
        columns={columns}
      />
    </Card>
  );
}

function useColumns(): Column<AlertRecord>[] {
  const isAdmin = isAtLeast(useSession(), 'admin');
  const targets = useApiQuery<EndpointRecord[]>('/endpoints', { query: { kind: 'notification' } });
  const remove = useApiMutation((id: string) => callApi('DELETE', `/alerts/${id}`), {
    refresh: ['/alerts'],
    successMessage: 'Alert deleted.',
  });
  return [
    {
      title: 'Name',
      isName: true,
      cell: ({ name, filter }) => (
        <Anchor component={Link} to={`/events?${new URLSearchParams(filter)}`} size="sm">
          {name}
        </Anchor>
      ),
    },
    {
      title: 'When',
      cell: ({ threshold, window_minutes: minutes }) =>
        `${countText(threshold)} ${threshold === 1 ? 'event' : 'events'} within ${timeOf(minutes)}`,
    },
    {
      title: 'Notifies',
      cell: ({ endpoint_id: id }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {targets.data?.find((one) => one.id === id)?.address ?? '–'}
        </Text>
      ),
    },
    {
      title: 'Last notified',
      cell: ({ notified_at: at }) => (at === null ? 'never' : <TimeAgo at={at} />),
    },
    {
      title: 'Actions',
      hideTitle: true,
      align: 'right',
      cell: ({ id, name }) =>
        isAdmin && (
          <ConfirmButton
            label="Delete"
            ariaLabel={`Delete alert ${name}`}
            title="Delete this alert?"
            effect={<Text size="sm">Nobody is notified of "{name}" any more.</Text>}
            confirm="Delete"
            pending={remove.isPending}
            error={remove.error}
            action={() => remove.mutateAsync(id)}
          />
        ),
    },
  ];
}

const timeOf = (minutes: number): string =>
  WINDOWS.find(({ value }) => value === String(minutes))?.label ?? `${countText(minutes)} minutes`;
