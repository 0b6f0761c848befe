import type { ProjectWebhook, ReplayDeliveries, ReplayedDeliveries } from '@csg/shared/contract';
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FormModal } from '../../components/form-modal.tsx';
import { ShownOnceModal } from '../../components/shown-once-modal.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';

/** Pause, replay and secret of an endpoint, and its pending deliveries. */
export function EndpointControls(props: {
  readonly path: string;
  readonly webhook: ProjectWebhook;
  readonly hasSecretButton: boolean;
}) {
  const { path, webhook } = props;
  const { id, webhook_url: url, paused } = webhook;
  const [isReplaying, setReplaying] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const refresh = [path, '/webhook-deliveries'];
  const pause = useApiMutation((body: { paused: boolean }) => callApi('PATCH', `${path}/${id}`, { body }), {
    refresh,
    successMessage: (_data, body) =>
      body.paused ? 'Paused. Events are stored until you resume.' : 'Resumed. Stored events are sent now.',
  });
  const rotate = useApiMutation(
    () => callApi<{ secret: string }>('POST', `${path}/${id}/secret`, { body: {} }),
    { refresh, successMessage: 'Secret rotated. The previous one stays valid for 24 hours.' },
  );
  return (
    <>
      <Group gap="xs" mt={4}>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${paused ? 'Resume' : 'Pause'} ${url}`}
          loading={pause.isPending}
          onClick={() => pause.mutate({ paused: !paused })}
        >
          {paused ? 'Resume' : 'Pause'}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Replay deliveries to ${url}`}
          onClick={() => setReplaying(true)}
        >
          Replay
        </Button>
        {props.hasSecretButton && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Rotate the secret of ${url}`}
            loading={rotate.isPending}
            onClick={() => rotate.mutate(undefined, { onSuccess: (made) => setSecret(made.secret) })}
          >
            Rotate secret
          </Button>
        )}
        <BacklogText webhook={webhook} />
      </Group>
      {isReplaying && (
        <ReplayModal path={`${path}/${id}`} refresh={refresh} onClose={() => setReplaying(false)} />
      )}
      {secret !== null && (
        <ShownOnceModal
          title="Signing secret"
          value={secret}
          label="secret"
          about="Bodies are signed with it. Shown only once."
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

export function BacklogText({ webhook }: { readonly webhook: ProjectWebhook }) {
  const { backlog, oldest_waiting_at: oldest, paused } = webhook;
  if (!paused && backlog === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      {paused ? 'Paused. ' : ''}
      {backlog.toLocaleString()} pending
      {oldest !== null && (
        <>
          , oldest <TimeAgo at={oldest} />
        </>
      )}
    </Text>
  );
}

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
