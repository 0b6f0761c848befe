import type { EndpointKind, EndpointRecord, NewEndpoint, SavedEndpoint } from '@csg/shared/contract';
import {
  Alert,
  Button,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { ShownOnce } from '../../components/copy-text.tsx';
import { toFields } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';
import { DIGESTS, eventsOf, FORMS, KINDS, labelOf } from './endpoint-labels.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const OWN_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Adds an endpoint of any kind, or changes one. */
export function EndpointForm(props: {
  /** null: a new one. */
  readonly endpoint: EndpointRecord | null;
  readonly kind: EndpointKind;
  readonly projectId: string | null;
  readonly onClose: () => void;
}) {
  const { endpoint, onClose } = props;
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({ initialValues: initialValues(props), validate: CHECKS });
  const save = useApiMutation(
    (body: object) =>
      endpoint === null
        ? callApi<SavedEndpoint>('POST', '/endpoints', { body })
        : callApi<SavedEndpoint>('PATCH', `/endpoints/${endpoint.id}`, { body }),
    {
      refresh: ['/endpoints'],
      quiet: true,
      successMessage: endpoint === null ? 'Endpoint added.' : 'Saved.',
    },
  );
  const { kind } = form.values;
  const isMail = kind === 'notification' && form.values.form === 'mail';
  if (save.data?.secret !== undefined || (save.data?.warnings.length ?? 0) > 0) {
    return <Saved saved={save.data!} onClose={onClose} />;
  }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={endpoint === null ? 'Add an endpoint' : `Edit ${endpoint.name}`}
      submit={endpoint === null ? 'Add endpoint' : 'Save'}
      pending={save.isPending}
      error={error}
      onSubmit={form.onSubmit((values) => {
        setError(null);
        save.mutate(bodyOf(values, endpoint), {
          onSuccess: ({ secret, warnings }) => {
            if (secret === undefined && warnings.length === 0) onClose();
          },
          onError: (refusal) => setError(toFields(refusal, form)),
        });
      })}
    >
      <Stack gap="sm">
        {endpoint === null && <KindFields form={form} />}
        <TextInput
          label={isMail ? 'Email address' : 'Address'}
          placeholder={isMail ? 'security@example.com' : KINDS[kind]?.placeholder}
          maxLength={2048}
          data-autofocus
          {...form.getInputProps('address')}
        />
        {eventsOf(kind).length > 0 && (
          <MultiSelect
            searchable
            label="Events"
            description="If empty, all events."
            data={eventsOf(kind)}
            {...form.getInputProps('events')}
          />
        )}
        {kind === 'notification' && <TimesOfNotification form={form} />}
        {kind === 'policy' && <AnswerOfPolicy form={form} />}
        <Switch
          label="Enabled"
          description="If disabled, events are neither sent nor stored for later."
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
      </Stack>
    </FormModal>
  );
}

/** What a new one is, and whose. */
function KindFields({ form }: { readonly form: Form }) {
  const projects = useProjects();
  const { kind } = form.values;
  const { about, isOfProject = false } = KINDS[kind] ?? {};
  return (
    <>
      <Select
        label="Kind"
        description={about}
        data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps('kind')}
      />
      {isOfProject && (
        <Select
          label="Project"
          data={projectChoices(projects.data)}
          allowDeselect={false}
          {...form.getInputProps('project_id')}
        />
      )}
      {kind === 'notification' && (
        <Select label="Send as" data={FORMS} allowDeselect={false} {...form.getInputProps('form')} />
      )}
    </>
  );
}

function TimesOfNotification({ form }: { readonly form: Form }) {
  return (
    <>
      <Select label="Messages" data={DIGESTS} allowDeselect={false} {...form.getInputProps('digest')} />
      <Group grow align="flex-start">
        <TextInput label="Quiet from" placeholder="22:00" {...form.getInputProps('from')} />
        <TextInput label="Quiet until" placeholder="07:00" {...form.getInputProps('to')} />
      </Group>
      <Text size="xs" c="dimmed">
        Quiet hours are in {form.values.zone}; notifications are sent when they end.
      </Text>
    </>
  );
}

function AnswerOfPolicy({ form }: { readonly form: Form }) {
  return (
    <Group grow align="flex-start">
      <Select
        label="On timeout or error"
        data={[
          { value: 'open', label: 'Allow' },
          { value: 'closed', label: 'Block' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('fail_mode')}
      />
      <NumberInput
        label="Timeout"
        suffix=" ms"
        min={100}
        max={10_000}
        step={500}
        allowDecimal={false}
        {...form.getInputProps('timeout_ms')}
      />
    </Group>
  );
}

/** The secret, which is not shown again, and what to check about the address. */
function Saved({ saved, onClose }: { readonly saved: SavedEndpoint; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={saved.secret === undefined ? 'Saved' : 'Signing secret'} size="lg">
      <Stack>
        {saved.secret !== undefined && (
          <ShownOnce
            value={saved.secret}
            label="secret"
            about="Your endpoint computes HMAC-SHA256 over the raw body with it."
          />
        )}
        {saved.warnings.map((warning) => (
          <Alert key={warning} color="yellow">
            {warning}
          </Alert>
        ))}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function initialValues(props: Pick<Parameters<typeof EndpointForm>[0], 'endpoint' | 'kind' | 'projectId'>) {
  const { endpoint } = props;
  return {
    kind: endpoint?.kind ?? props.kind,
    project_id: endpoint?.project_id ?? props.projectId ?? '',
    form: endpoint?.form ?? ('mail' as const),
    address: endpoint?.address ?? '',
    enabled: endpoint?.enabled ?? true,
    events: [...(endpoint?.events ?? [])],
    digest: endpoint?.digest ?? '',
    from: endpoint?.quiet_hours?.from ?? '',
    to: endpoint?.quiet_hours?.to ?? '',
    zone: endpoint?.quiet_hours?.time_zone ?? OWN_TIME_ZONE,
    fail_mode: endpoint?.fail_mode ?? ('open' as const),
    timeout_ms: endpoint?.timeout_ms ?? 3_000,
  };
}
type Values = ReturnType<typeof initialValues>;
type Form = UseFormReturnType<Values>;

const CHECKS = {
  address: (address: string) => (address.trim() === '' ? 'Enter an address.' : null),
  project_id: (id: string, { kind }: Values) =>
    KINDS[kind]?.isOfProject === true && id === '' ? 'Choose a project.' : null,
  from: (from: string, { to }: Values) => timeFault(from, to),
  to: (to: string, { from }: Values) => timeFault(to, from),
};

function timeFault(time: string, other: string): string | null {
  if (time === '') return other === '' ? null : 'Enter both times.';
  return TIME.test(time) ? null : 'Enter a time such as 22:00.';
}

/** An address that did not change is not sent: its host is all that members see of it. */
function bodyOf(values: Values, endpoint: EndpointRecord | null): object {
  const { kind, project_id, form, enabled, events, digest, from, to, zone, fail_mode, timeout_ms } = values;
  const address = values.address.trim();
  // Some may have been chosen for another kind.
  const chosen = events.filter((event) => labelOf(eventsOf(kind), event) !== undefined);
  const ofKind: Partial<NewEndpoint> = {
    ...(KINDS[kind]?.isOfProject === true && { project_id }),
    ...(kind === 'notification' && { form }),
  };
  return {
    ...(endpoint === null && { kind, ...ofKind }),
    ...(address !== endpoint?.address && { address }),
    enabled,
    ...(eventsOf(kind).length > 0 && { events: chosen.length === 0 ? null : chosen }),
    ...(kind === 'notification' && {
      digest: digest === '' ? null : digest,
      quiet_hours: from === '' ? null : { from, to, time_zone: zone },
    }),
    ...(kind === 'policy' && { fail_mode, timeout_ms }),
  };
}
