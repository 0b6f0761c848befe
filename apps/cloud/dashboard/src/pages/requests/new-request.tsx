import {
  type CreateException,
  type DashboardException,
  type EventDetail,
  threatToExcept,
} from '@csg/shared/contract';
import {
  Alert,
  Button,
  Card,
  Group,
  Select,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { toFields } from '../../components/form-errors.ts';
import { Page } from '../../components/page.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { namesOf, THREAT_LABELS, threatLabel } from '../../data/labels.ts';
import { REQUEST_PATHS } from './request-paths.ts';

const DURATIONS = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '1440', label: '1 day' },
];
const ALL = 'all';
const REASONS = ['Test data (no real people)', 'One-time task', 'False positive', 'Other'];

/** The form that a block message links to, with `?event=…&host=…&threat=…`, each of them optional. */
export function NewRequest() {
  const [params] = useSearchParams();
  const eventId = params.get('event') ?? '';
  // The event has the threat type if the link does not. A deleted event changes nothing.
  const event = useApiQuery<EventDetail>(`/events/${encodeURIComponent(eventId)}`, {
    enabled: eventId !== '' && !params.has('threat'),
  });
  return (
    <Page
      title="Request an exception"
      about="An admin must approve the request. The exception is limited to this host and threat type, and expires automatically."
    >
      {event.isLoading ? (
        <Skeleton height={520} maw={620} radius="md" aria-label="Loading" />
      ) : (
        <RequestForm
          eventId={eventId}
          host={params.get('host') ?? ''}
          threat={params.get('threat') ?? (event.data === undefined ? '' : threatOf(event.data))}
        />
      )}
    </Page>
  );
}

function threatOf({ threat_type, findings }: EventDetail): string {
  const found = findings.filter(({ report_only }) => !report_only).map(({ type }) => type);
  return threatToExcept(threat_type, found) ?? '';
}

function RequestForm(props: { readonly eventId: string; readonly host: string; readonly threat: string }) {
  const { eventId, host, threat } = props;
  const navigate = useNavigate();
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: {
      destination_host: host,
      threat,
      requested_minutes: '60',
      reason_category: REASONS[0]!,
      justification: '',
    },
    validate: {
      destination_host: (host) => (host.trim() === '' ? 'Enter the host, such as chatgpt.com.' : null),
      justification: (text) => (text.trim() === '' ? 'Enter a justification. The approver reads it.' : null),
    },
  });
  const create = useApiMutation(
    (body: CreateException) => callApi<DashboardException>('POST', '/exceptions', { body }),
    {
      refresh: REQUEST_PATHS,
      quiet: true,
      successMessage: 'Request submitted. The decision appears here.',
    },
  );
  return (
    <Card maw={620}>
      <form
        onSubmit={form.onSubmit((values) => {
          setError(null);
          create.mutate(
            {
              destination_host: values.destination_host.trim(),
              reason_category: values.reason_category,
              justification: values.justification,
              ...(eventId === '' ? {} : { event_id: eventId }),
              requested_minutes: Number(values.requested_minutes),
              ...(values.threat === ALL ? { all_findings: true } : {}),
              ...(values.threat === '' || values.threat === ALL ? {} : { threat: values.threat }),
            },
            { onSuccess: () => navigate('/requests'), onError: (error) => setError(toFields(error, form)) },
          );
        })}
      >
        <Stack>
          {eventId !== '' && (
            <Alert color="blue">
              <Text size="sm">
                Blocked{threat === '' ? '' : `: ${threatLabel(threat).toLowerCase()}`} (event {eventId}). The
                text is not stored, so describe its content.
              </Text>
            </Alert>
          )}
          <TextInput
            label="Host"
            description="Host that the text is sent to."
            placeholder="chatgpt.com"
            maxLength={255}
            {...form.getInputProps('destination_host')}
          />
          <Select
            label="Threat type"
            description="Only findings of this type are allowed."
            data={[
              { value: '', label: 'Attacks of any type' },
              ...namesOf(THREAT_LABELS).map((value) => ({ value, label: THREAT_LABELS[value] })),
              { value: ALL, label: 'All findings, also personal data and secrets' },
            ]}
            allowDeselect={false}
            {...form.getInputProps('threat')}
          />
          <Select
            label="Duration"
            description="Starts with the approval."
            data={DURATIONS}
            allowDeselect={false}
            {...form.getInputProps('requested_minutes')}
          />
          <Select
            label="Reason"
            data={REASONS}
            allowDeselect={false}
            {...form.getInputProps('reason_category')}
          />
          <Textarea
            label="Justification"
            placeholder="The names in this file are test data."
            autosize
            minRows={3}
            maxLength={1900}
            {...form.getInputProps('justification')}
          />
          {error && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button component={Link} to="/requests" variant="default">
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Submit request
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
