import type { ChangeWebhook, WebhookDeliveryRecord, WebhookSettings } from '@csg/shared/contract';
import {
  Alert,
  Badge,
  Button,
  Card,
  Grid,
  Group,
  Modal,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ShownOnce } from '../../components/copy-text.tsx';
import { toFields } from '../../components/form-errors.ts';
import { Section } from '../../components/page.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';

export function WebhookForm(props: { readonly projectId: string }) {
  const path = `/projects/${props.projectId}/webhook`;
  const [secret, setSecret] = useState<string | null>(null);
  const read = useApiQuery<WebhookSettings>(path);
  const isReader = !isAtLeast(useSession(), 'admin');
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
      <NewSecret secret={secret} onClose={() => setSecret(null)} />
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
            label="Receiver"
            description="https, on a public address."
            placeholder="https://hooks.example.com/gateway"
            type="url"
            maxLength={2048}
            disabled={isReader}
            {...form.getInputProps('webhook_url')}
          />
          <Switch
            label="Deliver"
            description="Off: nothing is sent, and nothing is kept for later."
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
                Send a test
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
    title: isDelivered ? 'The test was delivered' : 'The test was not taken',
    message: isDelivered
      ? `The receiver answered ${response_status}.`
      : (last_error ?? `It answered ${response_status}.`),
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
    successMessage: 'Bodies are not signed any more.',
  });
  return (
    <Card h="100%">
      <Section
        title="Signature"
        about="X-Service-Signature proves that a body came from here and was not changed."
      >
        <Group gap="sm">
          <Badge color={signing.enabled ? 'teal' : 'gray'}>{signing.enabled ? 'signed' : 'not signed'}</Badge>
          {signing.created_at !== null && (
            <Text size="xs" c="dimmed">
              secret made <TimeAgo at={signing.created_at} />
            </Text>
          )}
        </Group>
        {signing.previous_valid_until !== null && (
          <Text size="sm" c="dimmed">
            The secret before is still valid and ends <TimeAgo at={signing.previous_valid_until} />.
          </Text>
        )}
        {!signing.available && <Alert color="blue">Signing is part of the Enterprise plan.</Alert>}
        {!isReader && signing.available && (
          <Group>
            <ConfirmButton
              size="xs"
              variant="default"
              color="harbor"
              label={signing.enabled ? 'Rotate the secret' : 'Make a secret'}
              title={signing.enabled ? 'Rotate the secret' : 'Make a secret'}
              effect={
                signing.enabled
                  ? 'A new secret is made. For a day bodies carry both signatures: the new one, and that of the old secret in X-Service-Signature-Previous.'
                  : 'Bodies are signed from the next one on. The secret is shown once.'
              }
              confirm="Make the secret"
              pending={rotate.isPending}
              error={rotate.error}
              action={() => rotate.mutateAsync(undefined).then((created) => onSecret(created.secret))}
            />
            {signing.enabled && (
              <ConfirmButton
                size="xs"
                label="Stop signing"
                title="Stop signing"
                effect="Receivers that check the signature refuse what comes then."
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

function NewSecret(props: { readonly secret: string | null; readonly onClose: () => void }) {
  return (
    <Modal
      opened={props.secret !== null}
      onClose={props.onClose}
      title="The webhook secret"
      closeOnClickOutside={false}
    >
      <Stack>
        <ShownOnce
          value={props.secret ?? ''}
          label="secret"
          about="Shown only now. The receiver computes HMAC-SHA256 over the raw body with it."
        />
        <Group justify="flex-end">
          <Button onClick={props.onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
