import type { DeviceRecord } from '@csg/shared/contract';
import { Anchor, Button, Card, Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconDevices, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { StateBadge } from '../../components/badges.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { PLATFORM_LABELS } from '../../data/labels.ts';
import { isAtLeast, useSession } from '../../data/session.ts';

const REFETCH_MS = 5_000;
/** Worst first, so that an admin sees problems at the top. */
const URGENCY: readonly DeviceRecord['state'][] = [
  'gave_up',
  'silent',
  'retrying',
  'never_seen',
  'quiet',
  'revoked',
];
const SHOWN = 100;

export function DeviceList() {
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(SHOWN);
  const isAdmin = isAtLeast(useSession(), 'admin');
  const state = params.get('state') ?? 'live';
  const read = useApiQuery<DeviceRecord[]>('/devices', { refetchMs: REFETCH_MS });
  const revoke = useApiMutation((id: string) => callApi('POST', `/devices/${id}/revoke`), {
    refresh: ['/devices'],
    successMessage: 'Device revoked.',
    quiet: true,
  });
  const matching = read.data
    ?.filter((device) => hasState(device, state) && matchesSearch(device, search))
    .toSorted((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state));
  return (
    <Card p={{ base: 'sm', sm: 'md' }}>
      <Group mb="sm" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="State"
          value={['live', 'problems', 'revoked'].includes(state) ? state : 'live'}
          onChange={(value) => setParams({ state: value })}
          data={[
            { value: 'live', label: 'All' },
            { value: 'problems', label: 'Not protected' },
            { value: 'revoked', label: 'Revoked' },
          ]}
        />
        <TextInput
          size="xs"
          aria-label="Search devices"
          placeholder="Name, user or label"
          leftSection={<IconSearch size={14} />}
          value={search}
          onChange={(change) => setSearch(change.currentTarget.value)}
        />
      </Group>
      <DataTable
        label="Devices"
        rows={matching?.slice(0, shown)}
        rowKey={({ id }) => id}
        error={read.error}
        retry={() => read.refetch()}
        isDim={(device) => device.state === 'revoked'}
        empty={
          read.data?.length === 0 ? (
            <NoDevices isAdmin={isAdmin} />
          ) : (
            <Empty title="No matching devices">
              None of the {read.data?.length} devices match this state and search.
            </Empty>
          )
        }
        columns={[
          {
            title: 'Name',
            isName: true,
            cell: ({ name, user_email, end_user_label }) => (
              <>
                <Text size="sm" fw={550}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {user_email ?? end_user_label ?? 'not assigned'}
                </Text>
              </>
            ),
          },
          { title: 'State', cell: (device) => <StateBadge state={device.state} /> },
          { title: 'Last report', cell: ({ last_seen_at }) => <TimeAgo at={last_seen_at} /> },
          {
            title: 'Platform',
            wideOnly: true,
            cell: ({ platform, coverage }) =>
              `${PLATFORM_LABELS[platform]}${coverage === 'extension' ? ', extension' : ''}`,
          },
          { title: 'Agent version', cell: ({ agent_version }) => agent_version ?? '–' },
          {
            title: 'Proxy restarts',
            align: 'right',
            cell: ({ proxy_restarts }) => proxy_restarts ?? '–',
          },
          { title: 'Project', wideOnly: true, cell: ({ project_name }) => project_name ?? '–' },
          {
            title: 'Actions',
            hideTitle: true,
            align: 'right',
            cell: (device) => (
              <Group gap={4} justify="var(--cell-justify)" wrap="nowrap">
                <Anchor component={Link} to={`/events?device_id=${device.id}`} size="sm">
                  Events
                </Anchor>
                {isAdmin && device.state !== 'revoked' && (
                  <ConfirmButton
                    label="Revoke"
                    ariaLabel={`Revoke ${device.name}`}
                    title={`Revoke "${device.name}"`}
                    effect="Its credential stops working immediately, and its agent is notified within a second. The device is then no longer protected. To protect it again, enroll it again."
                    confirm="Revoke device"
                    action={() => revoke.mutateAsync(device.id)}
                    pending={revoke.isPending}
                    error={revoke.error}
                  />
                )}
              </Group>
            ),
          },
        ]}
      />
      {matching !== undefined && matching.length > shown && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={() => setShown(shown + SHOWN)}>
            Show more of {matching.length}
          </Button>
        </Group>
      )}
    </Card>
  );
}

function hasState({ state }: DeviceRecord, wanted: string): boolean {
  if (wanted === 'live') return state !== 'revoked';
  if (wanted === 'problems') return state !== 'quiet' && state !== 'revoked';
  return state === wanted;
}

function matchesSearch({ name, user_email, end_user_label }: DeviceRecord, search: string): boolean {
  return `${name} ${user_email ?? ''} ${end_user_label ?? ''}`
    .toLowerCase()
    .includes(search.trim().toLowerCase());
}

function NoDevices({ isAdmin }: { readonly isAdmin: boolean }) {
  return (
    <Empty
      icon={<IconDevices size={22} />}
      title="No devices enrolled"
      action={
        isAdmin ? (
          <Button component={Link} to="/devices/enroll">
            Enroll a device
          </Button>
        ) : null
      }
    >
      A device appears here within seconds of its enrollment, with its current state.
    </Empty>
  );
}
