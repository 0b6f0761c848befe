import type { EventList, EventSummary } from '@csg/shared/contract';
import { Anchor, Button, Card, Group, Tabs, Text } from '@mantine/core';
import { IconActivityHeartbeat } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { DecisionBadge, ThreatText } from '../../components/badges.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { percentText, timeText } from '../../data/format.ts';
import { useProjects } from '../../data/projects.ts';
import { AlertList } from './alert-list.tsx';
import { EventActions } from './event-actions.tsx';
import { EventFilters, readFilter, readOrder, withOrder } from './event-filters.tsx';
import { FalsePositiveList } from './false-positive-list.tsx';
import { LiveControl } from './live-control.tsx';

const LIVE_REFETCH_MS = 2_000;

export function Events() {
  const [params, setParams] = useSearchParams();
  const tab = params.get('tab') ?? 'all';
  return (
    <Page
      title="Events"
      about="Every decision with its matched rules, their position and their confidence. Texts are not stored."
    >
      <Tabs
        value={tab}
        onChange={(value) => setParams(value === 'all' || value === null ? {} : { tab: value })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="all">All events</Tabs.Tab>
          <Tabs.Tab value="false-alarms">False positives</Tabs.Tab>
          <Tabs.Tab value="alerts">Alerts</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="all">
          <AllEvents />
        </Tabs.Panel>
        <Tabs.Panel value="false-alarms">
          <FalsePositiveList />
        </Tabs.Panel>
        <Tabs.Panel value="alerts">
          <AlertList />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function AllEvents() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const filter = readFilter(params);
  const { sort, order } = readOrder(params);
  const isNewestFirst = sort === 'time' && order === 'desc';
  const isFiltered = Object.keys(filter).length > 0;
  const [isLive, setLive] = useState(true);
  const read = useInfiniteQuery<EventList, ApiError>({
    queryKey: ['/events', filter, sort, order],
    queryFn: ({ pageParam, signal }) =>
      callApi<EventList>('GET', '/events', {
        query: { ...filter, sort, order, before: pageParam as string },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    // Refreshes automatically unless older pages are open. In another order the newest events are not at the top.
    refetchInterval: (query) =>
      isLive && isNewestFirst && query.state.data?.pages.length === 1 ? LIVE_REFETCH_MS : false,
    refetchOnWindowFocus: isLive && isNewestFirst,
  });
  const rows = read.data?.pages.flatMap(({ events }) => events);
  return (
    <Card p={{ base: 'sm', sm: 'md' }}>
      <Group justify="space-between" mb="xs">
        {isNewestFirst ? (
          <LiveControl
            filter={filter}
            isLive={isLive}
            newestId={rows?.[0]?.id}
            onChange={(next) => {
              setLive(next);
              if (next) void read.refetch();
            }}
          />
        ) : (
          <Text size="sm" c="dimmed" role="status">
            {sort === 'time' ? 'Oldest first' : 'Events with a threat, by confidence'}
          </Text>
        )}
        <EventActions params={params} onChange={setParams} />
      </Group>
      <EventFilters params={params} onChange={setParams} />
      <DataTable
        label="Events"
        columns={useColumns()}
        rows={rows}
        rowKey={({ id }) => id}
        error={read.error}
        retry={() => read.refetch()}
        order={{ name: sort, isDescending: order === 'desc' }}
        onOrder={({ name, isDescending }) =>
          setParams(withOrder(params, name, isDescending ? 'desc' : 'asc'))
        }
        onOpen={({ id }) => navigate(`/events/${id}`)}
        empty={
          isFiltered ? (
            <Empty
              icon={<IconActivityHeartbeat size={22} />}
              title="No matching events"
              action={
                <Button variant="light" size="xs" onClick={() => setParams({})}>
                  Clear filters
                </Button>
              }
            >
              No decisions match these filters.
            </Empty>
          ) : (
            <Empty
              icon={<IconActivityHeartbeat size={22} />}
              title="No events yet"
              action={
                <Button component={Link} to="/keys" size="xs">
                  Create an API key
                </Button>
              }
            >
              Send a request with one of your API keys. Its decision appears here within seconds.
            </Empty>
          )
        }
      />
      {rows !== undefined && rows.length > 0 && (
        <Group justify="center" mt="md">
          {read.hasNextPage ? (
            <Button variant="default" onClick={() => read.fetchNextPage()} loading={read.isFetchingNextPage}>
              {isNewestFirst ? 'Show older events' : 'Show more events'}
            </Button>
          ) : (
            <Text size="sm" c="dimmed">
              End of list
            </Text>
          )}
        </Group>
      )}
    </Card>
  );
}

function useColumns(): Column<EventSummary>[] {
  const { data } = useProjects();
  const names = new Map((data ?? []).map(({ id, name }) => [id, name]));
  return [
    {
      title: 'Decision',
      untitled: 'half',
      cell: ({ id, at, decision, failed }) => (
        <Anchor
          component={Link}
          to={`/events/${id}`}
          underline="never"
          aria-label={`Open event: ${decision}, ${timeText(at)}`}
        >
          <DecisionBadge decision={decision} style={{ cursor: 'pointer' }} />
          {failed && (
            <Text span size="xs" c="orange" ml={6}>
              not scanned
            </Text>
          )}
        </Anchor>
      ),
    },
    {
      title: 'Threat',
      isName: true,
      cell: ({ threat_type }) => (threat_type === null ? '–' : <ThreatText type={threat_type} />),
    },
    {
      title: 'Confidence',
      orderName: 'confidence',
      align: 'right',
      cell: ({ confidence, threat_type }) => (threat_type === null ? '–' : percentText(confidence)),
    },
    {
      title: 'Direction',
      untitled: 'half',
      cell: ({ direction }) => (direction === 'input' ? 'prompt' : 'response'),
    },
    { title: 'Route', wideOnly: true, cell: ({ route }) => route },
    { title: 'Model', wideOnly: 'or-card', untitled: 'half', cell: ({ model }) => model ?? '–' },
    {
      title: 'Project',
      wideOnly: 'or-card',
      untitled: 'half',
      cell: ({ project_id }) => (project_id === null ? '–' : (names.get(project_id) ?? '–')),
    },
    {
      title: 'Time',
      untitled: 'line',
      orderName: 'time',
      cell: ({ at }) => (
        <>
          <TimeAgo at={at} />
          <Text
            size="xs"
            c="dimmed"
            component="time"
            dateTime={at}
            display={{ base: 'inline', sm: 'block' }}
            ml={{ base: 6, sm: 0 }}
          >
            {timeText(at)}
          </Text>
        </>
      ),
    },
  ];
}
