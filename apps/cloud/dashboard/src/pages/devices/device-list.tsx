import type { DeviceRecord } from '@csg/shared/contract';
import { Button, Card, Checkbox, Group, SegmentedControl, TextInput } from '@mantine/core';
import { IconDevices, IconDownload, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { AssignDeviceModal } from './assign-device.tsx';
import { deviceColumns } from './device-columns.tsx';
import { DeviceFilters, isWanted } from './device-filters.tsx';
import { RevokeDevicesBar } from './revoke-devices.tsx';

const REFETCH_MS = 5_000;
/** Worst first, so that an admin sees problems at the top. */
const URGENCY: readonly DeviceRecord['state'][] = [
  'gave_up',
  'silent',
  'retrying',
  'needs_administrator',
  'programs_only',
  'never_seen',
  'quiet',
  'revoked',
];

export function DeviceList() {
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [assigned, setAssigned] = useState<DeviceRecord | null>(null);
  const isAdmin = isAtLeast(useSession(), 'admin');
  const state = params.get('state') ?? 'live';
  const read = useApiQuery<DeviceRecord[]>('/devices', { refetchMs: REFETCH_MS });
  const revoke = useApiMutation((id: string) => callApi('POST', `/devices/${id}/revoke`), {
    refresh: ['/devices'],
    successMessage: 'Device revoked.',
    quiet: true,
  });
  const filter = (name: string, value: string | null) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: true });
  };
  const matching = read.data
    ?.filter((device) => hasState(device, state) && matchesSearch(device, search) && isWanted(device, params))
    .toSorted((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state));
  // Devices hidden by the state filter or the search are not revoked with the selected ones.
  const selectable = isAdmin ? (matching ?? []).filter((device) => device.state !== 'revoked') : [];
  const selected = selectable.filter(({ id }) => picked.has(id));
  return (
    <Card p={{ base: 'sm', sm: 'md' }}>
      <Group mb="sm" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="State"
          value={['live', 'problems', 'revoked'].includes(state) ? state : 'live'}
          onChange={(value) => filter('state', value)}
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
          onChange={(change) => filter('search', change.currentTarget.value)}
        />
        <DeviceFilters devices={read.data} params={params} onChange={filter} />
        <Button
          component="a"
          href="/dashboard/devices?format=csv"
          download
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} />}
        >
          Export CSV
        </Button>
        {selectable.length > 1 && (
          <Checkbox
            size="xs"
            label={`Select all ${selectable.length}`}
            checked={selected.length === selectable.length}
            indeterminate={selected.length > 0 && selected.length < selectable.length}
            onChange={() => setPicked(new Set(selected.length === 0 ? selectable.map(({ id }) => id) : []))}
          />
        )}
      </Group>
      <RevokeDevicesBar selected={selected} onDone={() => setPicked(new Set())} />
      <DataTable
        label="Devices"
        inSteps
        rows={matching}
        rowKey={({ id }) => id}
        error={read.error}
        retry={() => read.refetch()}
        isDim={(device) => device.state === 'revoked'}
        empty={
          read.data?.length === 0 ? (
            <NoDevices isAdmin={isAdmin} />
          ) : (
            <Empty title="No matching devices">
              None of the {read.data?.length} devices match these filters.
            </Empty>
          )
        }
        columns={deviceColumns({ isAdmin, picked, setPicked, assign: setAssigned, revoke })}
      />
      {assigned !== null && <AssignDeviceModal device={assigned} onClose={() => setAssigned(null)} />}
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
