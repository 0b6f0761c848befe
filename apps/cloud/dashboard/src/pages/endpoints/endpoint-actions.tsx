import type { EndpointDelivery, EndpointRecord } from '@csg/shared/contract';
import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { FormModal } from '../../components/form-modal.tsx';
import { ShownOnceModal } from '../../components/shown-once-modal.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { ReplayModal } from './replay-modal.tsx';

type Act = 'edit' | 'replay' | keyof typeof CONFIRMED;

/** Acts that a dialog explains first. */
const CONFIRMED = {
  rotate: {
    title: 'Rotate the signing secret',
    label: 'Rotate secret',
    effect:
      'A new secret is generated and shown once. For 24 hours, deliveries also have the signature of the old secret, in X-Service-Signature-Previous.',
  },
  sign: {
    title: 'Sign deliveries',
    label: 'Generate signing secret',
    effect: 'All further deliveries are signed. The secret is shown once.',
  },
  unsign: {
    title: 'Stop signing',
    label: 'Stop signing',
    effect: 'Endpoints that verify the signature will reject further deliveries.',
  },
  remove: {
    title: 'Remove endpoint',
    label: 'Remove',
    effect: 'Pending deliveries to it are dropped, and it is no longer called.',
  },
} as const;

/** What an admin can do with an endpoint, whatever its kind. */
export function EndpointActions({ endpoint }: { readonly endpoint: EndpointRecord }) {
  const { id, address, paused, synchronous, signed, own_secret: hasSecret } = endpoint;
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  const refresh = ['/endpoints'];
  const test = useApiMutation(() => callApi<EndpointDelivery>('POST', `/endpoints/${id}/test`), {
    refresh,
    successMessage: ({ status, last_error: error }) =>
      status === 'delivered' ? 'The test was delivered.' : `The test failed. ${error ?? ''}`,
  });
  const pause = useApiMutation(() => callApi('PATCH', `/endpoints/${id}`, { body: { paused: !paused } }), {
    refresh,
    successMessage: paused ? 'Resumed.' : 'Paused. What is queued waits until you resume.',
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Test ${address}`}
        loading={test.isPending}
        onClick={() => test.mutate(undefined)}
      >
        Test
      </Button>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${address}`}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAct('edit')}>Edit</Menu.Item>
          <Menu.Item onClick={() => pause.mutate(undefined)}>{paused ? 'Resume' : 'Pause'}</Menu.Item>
          {!synchronous && <Menu.Item onClick={() => setAct('replay')}>Replay deliveries</Menu.Item>}
          {hasSecret && (
            <Menu.Item onClick={() => setAct(signed ? 'rotate' : 'sign')}>
              {CONFIRMED[signed ? 'rotate' : 'sign'].label}
            </Menu.Item>
          )}
          {hasSecret && signed && <Menu.Item onClick={() => setAct('unsign')}>Stop signing</Menu.Item>}
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setAct('remove')}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {act === 'edit' && (
        <EndpointForm endpoint={endpoint} kind={endpoint.kind} projectId={null} onClose={close} />
      )}
      {act === 'replay' && <ReplayModal path={`/endpoints/${id}`} refresh={refresh} onClose={close} />}
      {act !== null && act !== 'edit' && act !== 'replay' && (
        <Confirmed endpoint={endpoint} act={act} onClose={close} />
      )}
    </>
  );
}

function Confirmed(props: {
  readonly endpoint: EndpointRecord;
  readonly act: keyof typeof CONFIRMED;
  readonly onClose: () => void;
}) {
  const { endpoint, act, onClose } = props;
  const { title, label, effect } = CONFIRMED[act];
  const path = `/endpoints/${endpoint.id}${act === 'remove' ? '' : '/secret'}`;
  const isSecretMade = act === 'rotate' || act === 'sign';
  const run = useApiMutation(
    () =>
      isSecretMade
        ? callApi<{ secret?: string }>('POST', path, { body: {} })
        : callApi<undefined>('DELETE', path),
    {
      refresh: ['/endpoints'],
      quiet: true,
      successMessage: act === 'remove' ? 'Endpoint removed.' : 'Saved.',
    },
  );
  const secret = run.data?.secret;
  if (secret !== undefined) {
    return (
      <ShownOnceModal
        title="Signing secret"
        value={secret}
        label="secret"
        about="Shown only once. Your endpoint computes HMAC-SHA256 over the raw body with it."
        onClose={onClose}
      />
    );
  }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={title}
      submit={label}
      {...(isSecretMade ? {} : { color: 'red.9' })}
      pending={run.isPending}
      error={run.error}
      onSubmit={(event) => {
        event.preventDefault();
        run.mutate(undefined, { onSuccess: () => !isSecretMade && onClose() });
      }}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {effect} ({endpoint.address})
      </Text>
    </FormModal>
  );
}
