import type { DeviceRecord } from '@csg/shared/contract';
import { Anchor, Button, Checkbox, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import { StateBadge } from '../../components/badges.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import type { Column } from '../../components/data-table.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import type { ApiError } from '../../data/api.ts';
import { PLATFORM_LABELS } from '../../data/labels.ts';

interface DeviceActs {
  readonly isAdmin: boolean;
  readonly picked: ReadonlySet<string>;
  readonly setPicked: (ids: ReadonlySet<string>) => void;
  readonly assign: (device: DeviceRecord) => void;
  readonly revoke: UseMutationResult<unknown, ApiError, string>;
}

export function deviceColumns({
  isAdmin,
  picked,
  setPicked,
  assign,
  revoke,
}: DeviceActs): readonly Column<DeviceRecord>[] {
  return [
    {
      title: 'Name',
      isName: true,
      sortBy: ({ name }) => name,
      cell: (device) =>
        isAdmin && device.state !== 'revoked' ? (
          <Checkbox
            size="xs"
            label={<DeviceName device={device} />}
            checked={picked.has(device.id)}
            onChange={() => setPicked(toggled(picked, device.id))}
          />
        ) : (
          <DeviceName device={device} />
        ),
    },
    { title: 'State', cell: (device) => <DeviceState device={device} /> },
    {
      title: 'Last report',
      cell: ({ last_seen_at }) => <TimeAgo at={last_seen_at} />,
      sortBy: ({ last_seen_at }) => last_seen_at,
    },
    {
      title: 'Platform',
      wideOnly: 'or-card',
      cell: ({ platform, coverage }) =>
        `${PLATFORM_LABELS[platform]}${coverage === 'extension' ? ', extension' : ''}`,
    },
    {
      title: 'Agent',
      cell: ({ agent_version }) => agent_version ?? '–',
      sortBy: ({ agent_version }) => agent_version,
    },
    {
      title: 'Restarts',
      align: 'right',
      cell: ({ proxy_restarts }) => proxy_restarts ?? '–',
      sortBy: ({ proxy_restarts }) => proxy_restarts,
    },
    {
      title: 'Project',
      wideOnly: true,
      cell: ({ project_name }) => project_name ?? '–',
      sortBy: ({ project_name }) => project_name,
    },
    {
      title: 'Actions',
      hideTitle: true,
      align: 'right',
      cell: (device) => (
        <Group gap={4} justify="var(--cell-justify)">
          <Anchor component={Link} to={`/events?device_id=${device.id}`} size="sm">
            Events
          </Anchor>
          {isAdmin && device.state !== 'revoked' && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              aria-label={`Assign ${device.name}`}
              onClick={() => assign(device)}
            >
              Assign
            </Button>
          )}
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
  ];
}

function DeviceState({ device }: { readonly device: DeviceRecord }) {
  const { state, needs_administrator: hosts } = device;
  return (
    <>
      <StateBadge state={state} />
      {state === 'needs_administrator' && (
        <Text size="xs" c="dimmed">
          {hosts.join(', ')}
        </Text>
      )}
    </>
  );
}

function DeviceName({ device }: { readonly device: DeviceRecord }) {
  return (
    <>
      <Text size="sm" fw={550}>
        {device.name}
      </Text>
      <Text size="xs" c="dimmed">
        {device.user_email ?? device.end_user_label ?? 'not assigned'}
      </Text>
    </>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]);
}
