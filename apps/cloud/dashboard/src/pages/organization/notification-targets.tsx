import type {
  CreateNotificationTarget,
  NotificationEvent,
  NotificationTargetRecord,
  NotificationTest,
} from '@csg/shared/contract';
import { Button, Card, Group, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { toFields } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { Section } from '../../components/page.tsx';
import { ShownOnceModal } from '../../components/shown-once-modal.tsx';
import { Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

const PATH = '/notification-targets';

const KINDS = [
  { value: 'mail', label: 'Email' },
  { value: 'slack', label: 'Slack' },
  { value: 'teams', label: 'Microsoft Teams' },
  { value: 'webhook', label: 'Webhook' },
] as const;
const EVENTS: readonly { readonly value: NotificationEvent; readonly label: string }[] = [
  { value: 'request.waiting', label: 'A request needs approval' },
  { value: 'request.decided', label: 'A request was decided' },
  { value: 'device.gave_up', label: 'Protection of a device is off' },
  { value: 'device.silent', label: 'A device is not reporting' },
  { value: 'webhook.failing', label: 'A webhook fails' },
  { value: 'blocks.burst', label: 'A burst of blocks' },
  { value: 'quota', label: 'The quota is used up' },
  { value: 'audit.failed', label: 'The audit log fails verification' },
];
const DIGESTS = [
  { value: '', label: 'Immediately' },
  { value: 'hourly', label: 'One message per hour' },
  { value: 'daily', label: 'One message per day' },
];
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Targets for notifications about requests, devices, webhooks and bursts of blocks. */
export function NotificationTargets() {
  const read = useApiQuery<NotificationTargetRecord[]>(PATH);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Card>
      <Section
        title="Notifications"
        about="Messages to email, Slack, Teams or a webhook when a request needs approval, a device or webhook fails, or many requests are blocked."
        actions={
          <Button size="xs" variant="default" onClick={open}>
            Add target
          </Button>
        }
      >
        <Loaded read={read} height={60}>
          {(targets) =>
            targets.length === 0 ? (
              <Text size="sm" c="dimmed">
                No targets.
              </Text>
            ) : (
              <Stack gap="xs">
                {targets.map((target) => (
                  <Target key={target.id} target={target} />
                ))}
              </Stack>
            )
          }
        </Loaded>
      </Section>
      {isOpen && <NewTarget onClose={close} />}
    </Card>
  );
}

function Target(props: { readonly target: NotificationTargetRecord }) {
  const { id, kind, address, events, digest, last_error, last_sent_at } = props.target;
  const label = KINDS.find(({ value }) => value === kind)?.label;
  const test = useApiMutation(() => callApi<NotificationTest>('POST', `${PATH}/${id}/test`), {
    refresh: [PATH],
    quiet: true,
  });
  const remove = useApiMutation(() => callApi('DELETE', `${PATH}/${id}`), {
    refresh: [PATH],
    quiet: true,
    successMessage: 'Target removed.',
  });
  const failure = test.error?.message ?? test.data?.error ?? last_error;
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {label}: {address}
        </Text>
        <Text size="xs" c="dimmed">
          {events === null ? 'Everything' : `${events.length} of ${EVENTS.length} events`}
          {digest !== null && `, ${digest}`}, last sent <TimeAgo at={last_sent_at} />
        </Text>
        {failure != null && (
          <Text size="xs" c="red.9" style={{ overflowWrap: 'anywhere' }}>
            {failure}
          </Text>
        )}
        {test.data?.delivered === true && <Text size="xs">Test message sent.</Text>}
      </div>
      <Group gap={4} wrap="nowrap">
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={`Test ${address}`}
          loading={test.isPending}
          onClick={() => test.mutate(undefined)}
        >
          Test
        </Button>
        <ConfirmButton
          label="Remove"
          ariaLabel={`Remove ${address}`}
          title="Remove notification target"
          effect={`No more messages are sent to ${address}.`}
          confirm="Remove target"
          pending={remove.isPending}
          error={remove.error}
          action={() => remove.mutateAsync(undefined)}
        />
      </Group>
    </Group>
  );
}

function NewTarget(props: { readonly onClose: () => void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: {
      kind: 'mail' as CreateNotificationTarget['kind'],
      address: '',
      events: [] as NotificationEvent[],
      digest: '' as '' | 'hourly' | 'daily',
      from: '',
      to: '',
    },
    validate: {
      address: (address) => (address.trim() === '' ? 'Enter an address.' : null),
      from: (from, { to }) => timeFault(from, to),
      to: (to, { from }) => timeFault(to, from),
    },
  });
  const create = useApiMutation(
    (body: CreateNotificationTarget) => callApi<NotificationTargetRecord>('POST', PATH, { body }),
    { refresh: [PATH], quiet: true, successMessage: 'Target added.' },
  );
  const secret = create.data?.secret;
  if (secret !== undefined) {
    return (
      <ShownOnceModal
        title="Signing secret"
        value={secret}
        label="secret"
        about="Bodies are signed with it. Shown only once."
        onClose={props.onClose}
      />
    );
  }
  const isMail = form.values.kind === 'mail';
  return (
    <FormModal
      opened
      onClose={props.onClose}
      title="Add a notification target"
      submit="Add target"
      pending={create.isPending}
      error={error}
      onSubmit={form.onSubmit(({ kind, address, events, digest, from, to }) => {
        setError(null);
        create.mutate(
          {
            kind,
            address: address.trim(),
            events: events.length === 0 ? null : events,
            digest: digest === '' ? null : digest,
            quiet_hours: from === '' ? null : { from, to, time_zone: OWN_TIME_ZONE },
          },
          {
            onSuccess: (made) => {
              if (made.secret === undefined) props.onClose();
            },
            onError: (refusal) => setError(toFields(refusal, form)),
          },
        );
      })}
    >
      <Stack gap="sm">
        <Select label="Kind" data={[...KINDS]} allowDeselect={false} {...form.getInputProps('kind')} />
        <TextInput
          label={isMail ? 'Email address' : 'Address'}
          placeholder={isMail ? 'security@example.com' : 'https://hooks.example.com/…'}
          maxLength={2048}
          {...form.getInputProps('address')}
        />
        <MultiSelect
          label="Events"
          description="If empty, all events."
          data={[...EVENTS]}
          {...form.getInputProps('events')}
        />
        <Select label="Messages" data={DIGESTS} allowDeselect={false} {...form.getInputProps('digest')} />
        <Group grow align="flex-start">
          <TextInput label="Quiet from" placeholder="22:00" {...form.getInputProps('from')} />
          <TextInput label="Quiet until" placeholder="07:00" {...form.getInputProps('to')} />
        </Group>
        <Text size="xs" c="dimmed">
          Quiet hours are in {OWN_TIME_ZONE}; notifications are sent when they end.
        </Text>
      </Stack>
    </FormModal>
  );
}

const OWN_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

function timeFault(time: string, other: string): string | null {
  if (time === '') return other === '' ? null : 'Enter both times.';
  return TIME.test(time) ? null : 'Enter a time such as 22:00.';
}
