import type { AddWebhook, ProjectWebhook, WebhookDeliveryRecord } from '@csg/shared/contract';
import { Badge, Button, Card, Group, MultiSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { toFields } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { Section } from '../../components/page.tsx';
import { ShownOnceModal } from '../../components/shown-once-modal.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { BacklogText, EndpointControls } from './endpoint-controls.tsx';

const EVENTS = [
  { value: 'threat.blocked', label: 'Blocked threats' },
  { value: 'threat.detected', label: 'Detected threats' },
  { value: 'pii.redacted', label: 'Redactions' },
  { value: 'usage.threshold', label: 'Usage thresholds' },
  { value: 'usage.overage', label: 'Overage' },
] as const satisfies readonly { value: NonNullable<ProjectWebhook['events']>[number]; label: string }[];

/** Returns whether this is the webhook of the form above, whose id matches the project's. */
const isFirst = ({ id, project_id: projectId }: ProjectWebhook): boolean =>
  id.slice(id.indexOf('_')) === projectId.slice(projectId.indexOf('_'));

/** Endpoints in addition to the first one, each with its own events and secret. */
export function FurtherWebhooks(props: { readonly projectId: string }) {
  const path = `/projects/${props.projectId}/webhooks`;
  const isAdmin = isAtLeast(useSession(), 'admin', props.projectId);
  const read = useApiQuery<ProjectWebhook[]>(path);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Card>
      <Section
        title="All webhooks"
        about="The webhook above, and further ones for the same events or only some of them."
        actions={
          isAdmin && (
            <Button size="xs" variant="default" onClick={open}>
              Add webhook
            </Button>
          )
        }
      >
        <Loaded read={read} height={60}>
          {(webhooks) =>
            webhooks.length === 0 ? (
              <Text size="sm" c="dimmed">
                No webhooks yet.
              </Text>
            ) : (
              <Stack gap="md">
                {webhooks.map((webhook) =>
                  isFirst(webhook) ? (
                    <FirstWebhook key={webhook.id} path={path} webhook={webhook} isAdmin={isAdmin} />
                  ) : (
                    <FurtherWebhook key={webhook.id} path={path} webhook={webhook} isAdmin={isAdmin} />
                  ),
                )}
              </Stack>
            )
          }
        </Loaded>
      </Section>
      {isOpen && <NewWebhook path={path} onClose={close} />}
    </Card>
  );
}

function FirstWebhook(props: {
  readonly path: string;
  readonly webhook: ProjectWebhook;
  readonly isAdmin: boolean;
}) {
  const { webhook } = props;
  return (
    <div>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {webhook.webhook_url} (above)
      </Text>
      {props.isAdmin ? (
        <EndpointControls path={props.path} webhook={webhook} hasSecretButton={false} />
      ) : (
        <BacklogText webhook={webhook} />
      )}
    </div>
  );
}

function FurtherWebhook(props: {
  readonly path: string;
  readonly webhook: ProjectWebhook;
  readonly isAdmin: boolean;
}) {
  const { path, webhook, isAdmin } = props;
  const { id, webhook_url: url, webhook_enabled: isEnabled, events } = webhook;
  const refresh = [path, '/webhook-deliveries'];
  const change = useApiMutation(
    (enabled: boolean) => callApi('PATCH', `${path}/${id}`, { body: { webhook_enabled: enabled } }),
    { refresh, quiet: true, successMessage: 'Saved.' },
  );
  const test = useApiMutation(() => callApi<WebhookDeliveryRecord>('POST', `${path}/${id}/test`), {
    refresh,
    quiet: true,
  });
  const remove = useApiMutation(() => callApi('DELETE', `${path}/${id}`), {
    refresh,
    quiet: true,
    successMessage: 'Webhook removed.',
  });
  const error = change.error ?? test.error;
  return (
    <div>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div style={{ flex: '1 1 14rem', minWidth: 0 }}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          <Text size="xs" c="dimmed">
            {events === null ? 'All events' : events.join(', ')}
          </Text>
        </div>
        {isAdmin ? (
          <Group gap="xs">
            <Switch
              label="Enabled"
              aria-label={`Send events to ${url}`}
              checked={isEnabled}
              disabled={change.isPending}
              onChange={(event) => change.mutate(event.currentTarget.checked)}
            />
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              aria-label={`Test ${url}`}
              loading={test.isPending}
              onClick={() => test.mutate(undefined)}
            >
              Test
            </Button>
            <ConfirmButton
              label="Remove"
              ariaLabel={`Remove ${url}`}
              title="Remove webhook"
              effect="Pending deliveries to it are dropped, and no further events are sent there."
              confirm="Remove webhook"
              pending={remove.isPending}
              error={remove.error}
              action={() => remove.mutateAsync(undefined)}
            />
          </Group>
        ) : (
          <Badge color={isEnabled ? 'teal' : 'gray'}>{isEnabled ? 'Enabled' : 'Disabled'}</Badge>
        )}
      </Group>
      {isAdmin ? (
        <EndpointControls path={path} webhook={webhook} hasSecretButton={webhook.signed} />
      ) : (
        <BacklogText webhook={webhook} />
      )}
      {test.data !== undefined && (
        <Text size="xs">
          {test.data.status === 'delivered'
            ? 'Test event delivered.'
            : `Test event not delivered: ${test.data.last_error ?? 'no response'}.`}
        </Text>
      )}
      {error && <ErrorAlert error={error} />}
    </div>
  );
}

function NewWebhook(props: { readonly path: string; readonly onClose: () => void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: { webhook_url: '', events: [] as (typeof EVENTS)[number]['value'][] },
    validate: { webhook_url: (url) => (url.trim() === '' ? 'Enter an address.' : null) },
  });
  const create = useApiMutation((body: AddWebhook) => callApi<ProjectWebhook>('POST', props.path, { body }), {
    refresh: [props.path],
    quiet: true,
    successMessage: 'Webhook added.',
  });
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
  return (
    <FormModal
      opened
      onClose={props.onClose}
      title="Add a webhook"
      submit="Add webhook"
      pending={create.isPending}
      error={error}
      onSubmit={form.onSubmit(({ webhook_url: url, events }) => {
        setError(null);
        create.mutate(
          { webhook_url: url.trim(), events: events.length === 0 ? null : events },
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
        <TextInput
          label="Address"
          placeholder="https://hooks.example.com/gateway"
          maxLength={2048}
          data-autofocus
          {...form.getInputProps('webhook_url')}
        />
        <MultiSelect
          label="Events"
          description="If empty, all events."
          data={[...EVENTS]}
          {...form.getInputProps('events')}
        />
      </Stack>
    </FormModal>
  );
}
