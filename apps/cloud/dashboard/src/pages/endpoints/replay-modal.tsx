import type { ReplayDeliveries, ReplayedDeliveries } from '@csg/shared/contract';
import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { FormModal } from '../../components/form-modal.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';

const SPANS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
];
const STATUSES = [
  { value: 'failed', label: 'Failed deliveries' },
  { value: 'delivered', label: 'Delivered ones' },
  { value: 'all', label: 'All' },
];
const HOUR_MS = 3_600_000;

export function ReplayModal(props: {
  readonly path: string;
  readonly refresh: readonly string[];
  readonly onClose: () => void;
}) {
  const [hours, setHours] = useState('24');
  const [status, setStatus] = useState<ReplayDeliveries['status']>('failed');
  const replay = useApiMutation(
    (body: ReplayDeliveries) => callApi<ReplayedDeliveries>('POST', `${props.path}/replay`, { body }),
    {
      refresh: [...props.refresh],
      quiet: true,
      successMessage: ({ replayed, has_more }) =>
        `${replayed.toLocaleString()} deliveries are sent again${has_more ? '; more remain' : ''}.`,
    },
  );
  return (
    <FormModal
      opened
      onClose={props.onClose}
      title="Replay deliveries"
      submit="Replay"
      pending={replay.isPending}
      error={replay.error}
      onSubmit={(event) => {
        event.preventDefault();
        const from = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
        replay.mutate({ from, ...(status === undefined ? {} : { status }) }, { onSuccess: props.onClose });
      }}
    >
      <Stack gap="sm">
        <Select
          label="Time"
          data={SPANS}
          value={hours}
          allowDeselect={false}
          onChange={(value) => setHours(value ?? '24')}
        />
        <Select
          label="Deliveries"
          description="Each keeps its X-Service-Delivery id, so that your endpoint can recognize repeats."
          data={STATUSES}
          value={status ?? 'failed'}
          allowDeselect={false}
          onChange={(value) => setStatus((value ?? 'failed') as ReplayDeliveries['status'])}
        />
      </Stack>
    </FormModal>
  );
}
