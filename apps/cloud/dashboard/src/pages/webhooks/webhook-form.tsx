import type { ChangeWebhook, WebhookDeliveryRecord, WebhookSettings } from '@csg/shared/contract';
import { Alert, Badge, Button, Card, Grid, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { toFields } from '../../components/form-errors.ts';
import { Section } from '../../components/page.tsx';
import { ShownOnceModal } from '../../components/shown-once-modal.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';

export function WebhookForm(props: { readonly projectId: string }) {
  const path = `/projects/${props.projectId}/webhook`;
  const [secret, setSecret] = useState<string | null>(null);
  const read = useApiQuery<WebhookSettings>(path);
  const isReader = !isAtLeast(useSession(), 'admin', props.projectId);
  return (
    <>
      <Loaded read={read} height={220}>
        {(settings) => (
          <Grid>
            <Grid.Col span={{ base: 12, md: 7 }}>
              <EndpointForm path={path} settings={settings} isReader={isReader} onSecret={setSecret} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Signing path={path} settings={settings} isReader={isReader} onSecret={setSecret} />
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
      {secret !== null && (
        <ShownOnceModal
          title="Webhook signing secret"
          value={secret}
          label="secret"
          about="Shown only once. Your endpoint computes HMAC-SHA256 over the raw body with it."
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

interface SectionProps {
  readonly path: string;
  readonly settings: WebhookSettings;
  readonly isReader: boolean;
  readonly onSecret: (secret: string) => void;
}

function EndpointForm({ path, settings, isReader, onSecret }: SectionProps) {
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: { webhook_url: settings.webhook_url ?? '', webhook_enabled: settings.webhook_enabled },
  });
  const refresh = [path, '/webhook-deliveries'];
  const save = useApiMutation((body: ChangeWebhook) => callApi<WebhookSettings>('PATCH', path, { body }), {
    refresh,
    quiet: true,
    successMessage: 'Saved.',
  });
  const test = useApiMutation(() => callApi<WebhookDeliveryRecord>('POST', `${path}/test`), {
    refresh: ['/webhook-deliveries'],
    quiet: true,
  });
  return (
    <Card h="100%">
      <form
        noValidate
        onSubmit={form.onSubmit((values) => {
          setError(null);
          save.mutate(values, {
            onSuccess: ({ secret }) => {
              form.resetDirty();
              if (secret !== undefined) onSecret(secret);
            },
            onError: (error) => setError(toFields(error, form)),
          });
        })}
      >
        <Stack gap="sm">
          <TextInput
            label="Endpoint URL"
            description="HTTPS with a public address."
            placeholder="https://hooks.example.com/gateway"
            type="url"
            maxLength={2048}
            disabled={isReader}
            {...form.getInputProps('webhook_url')}
          />
          <Switch
            label="Webhook enabled"
            description="If disabled, events are neither sent nor stored for later."
            disabled={isReader}
            {...form.getInputProps('webhook_enabled', { type: 'checkbox' })}
          />
          {settings.warnings.map((warning) => (
            <Alert key={warning} color="yellow">
              {warning}
            </Alert>
          ))}
          {error && <ErrorAlert error={error} />}
          {test.error && <ErrorAlert error={test.error} />}
          {!isReader && (
            <Group justify="flex-end">
              <Button
                variant="default"
                disabled={settings.webhook_url === null || form.isDirty()}
                loading={test.isPending}
                onClick={() => test.mutate(undefined, { onSuccess: showTestResult })}
              >
                Send test event
              </Button>
              <Button type="submit" disabled={!form.isDirty()} loading={save.isPending}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  );
}

function showTestResult({ status, response_status, last_error }: WebhookDeliveryRecord): void {
  const isDelivered = status === 'delivered';
  notifications.show({
    color: isDelivered ? 'teal' : 'red',
    title: isDelivered ? 'Test event delivered' : 'Test event failed',
    message: isDelivered
      ? `The endpoint returned ${response_status}.`
      : (last_error ?? `The endpoint returned ${response_status}.`),
  });
}

function Signing({ path, settings, isReader, onSecret }: SectionProps) {
  const { signing } = settings;
  const rotate = useApiMutation(() => callApi<{ secret: string }>('POST', `${path}/secret`, { body: {} }), {
    refresh: [path],
    quiet: true,
  });
  const stop = useApiMutation(() => callApi('DELETE', `${path}/secret`), {
    refresh: [path],
    quiet: true,
    successMessage: 'Signing disabled.',
  });
  return (
    <Card h="100%">
      <Section
        title="Signature"
        about="The X-Service-Signature header proves that a body was sent by this gateway and not modified."
      >
        <Group gap="sm">
          <Badge color={signing.enabled ? 'teal' : 'gray'}>{signing.enabled ? 'signed' : 'not signed'}</Badge>
          {signing.created_at !== null && (
            <Text size="xs" c="dimmed">
              secret created <TimeAgo at={signing.created_at} />
            </Text>
          )}
        </Group>
        {signing.previous_valid_until !== null && (
          <Text size="sm" c="dimmed">
            The previous secret expires <TimeAgo at={signing.previous_valid_until} />.
          </Text>
        )}
        {!signing.available && <Alert color="blue">Signing requires the Enterprise plan.</Alert>}
        {!isReader && signing.available && (
          <Group>
            <ConfirmButton
              size="xs"
              variant="default"
              color="harbor"
              label={signing.enabled ? 'Rotate secret' : 'Generate signing secret'}
              title={signing.enabled ? 'Rotate secret' : 'Generate signing secret'}
              effect={
                signing.enabled
                  ? 'A new secret is generated. For 24 hours, deliveries also have the signature of the old secret, in X-Service-Signature-Previous.'
                  : 'All further deliveries are signed. The secret is shown once.'
              }
              confirm="Generate secret"
              pending={rotate.isPending}
              error={rotate.error}
              action={() => rotate.mutateAsync(undefined).then((created) => onSecret(created.secret))}
            />
            {signing.enabled && (
              <ConfirmButton
                size="xs"
                label="Stop signing"
                title="Stop signing"
                effect="Endpoints that verify the signature will reject further deliveries."
                confirm="Stop signing"
                pending={stop.isPending}
                error={stop.error}
                action={() => stop.mutateAsync(undefined)}
              />
            )}
          </Group>
        )}
      </Section>
    </Card>
  );
}
