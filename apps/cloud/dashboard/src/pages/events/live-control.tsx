import type { EventList } from '@csg/shared/contract';
import { Button, Group, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useApiQuery } from '../../data/hooks.ts';

const REFETCH_MS = 3_000;

/** Follows new events, or pauses the list and shows how many have arrived since. */
export function LiveControl(props: {
  readonly filter: Readonly<Record<string, string>>;
  readonly isLive: boolean;
  /** The newest event shown. */
  readonly newestId: string | undefined;
  readonly onChange: (isLive: boolean) => void;
}) {
  const { isLive, newestId } = props;
  const newest = useApiQuery<EventList>('/events', {
    // The list uses the same query without this parameter, as pages, so the cache keys must differ.
    query: { ...props.filter, before: '' },
    refetchMs: REFETCH_MS,
    enabled: !isLive,
  });
  const events = newest.data?.events ?? [];
  const at = events.findIndex(({ id }) => id === newestId);
  const count = isLive ? 0 : at === -1 ? events.length : at;
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        leftSection={isLive ? <IconPlayerPause size={14} /> : <IconPlayerPlay size={14} />}
        onClick={() => props.onChange(!isLive)}
      >
        {isLive ? 'Pause' : 'Resume'}
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {isLive ? 'Live' : newsText(count, at === -1 && newest.data?.next !== null)}
      </Text>
    </Group>
  );
}

function newsText(count: number, hasMore: boolean): string {
  if (count === 0) return 'Paused, no new events';
  return `Paused, ${count}${hasMore ? ' or more' : ''} new event${count === 1 ? '' : 's'}`;
}
