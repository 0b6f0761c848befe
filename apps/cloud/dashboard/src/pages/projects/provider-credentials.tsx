import { type DashboardProject, DEFAULT_CREDENTIAL } from '@csg/shared/contract';
import { Badge, Button, Card, Group, PasswordInput, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

interface ProviderRow {
  readonly name: string;
  readonly label: string;
}
type Credential = DashboardProject['credentials'][number];
interface Selected {
  readonly provider: ProviderRow;
  /** Absent for a new credential. */
  readonly credential?: Credential;
}

/** API keys of model providers, for requests without their own credential. */
export function ProviderCredentials(props: {
  readonly project: DashboardProject;
  readonly isReader: boolean;
}) {
  const { project, isReader } = props;
  const read = useApiQuery<ProviderRow[]>('/providers');
  const [selected, setSelected] = useState<Selected | null>(null);
  return (
    <Card>
      <Section
        title="Provider credentials"
        about="Used for requests without their own credential. Stored encrypted and never shown again."
      >
        <Loaded read={read} height={90}>
          {(providers) => (
            <Stack gap="sm">
              {providers.map((provider) => {
                const stored = project.credentials.filter((one) => one.provider === provider.name);
                return (
                  <Stack key={provider.name} gap={4}>
                    <Group justify="space-between" wrap="nowrap">
                      <Group gap="sm">
                        <Text size="sm">{provider.label}</Text>
                        {stored.length === 0 && <Badge color="gray">not set</Badge>}
                      </Group>
                      {!isReader && (
                        <Button
                          size="compact-sm"
                          variant="subtle"
                          aria-label={`Add a ${provider.label} credential`}
                          onClick={() => setSelected({ provider })}
                        >
                          Add
                        </Button>
                      )}
                    </Group>
                    {stored.map((credential) => (
                      <StoredCredential
                        key={credential.name}
                        projectId={project.id}
                        provider={provider}
                        credential={credential}
                        isReader={isReader}
                        onReplace={() => setSelected({ provider, credential })}
                      />
                    ))}
                  </Stack>
                );
              })}
            </Stack>
          )}
        </Loaded>
      </Section>
      {selected && <StoreCredential {...selected} projectId={project.id} onClose={() => setSelected(null)} />}
    </Card>
  );
}

function StoredCredential(props: {
  readonly projectId: string;
  readonly provider: ProviderRow;
  readonly credential: Credential;
  readonly isReader: boolean;
  readonly onReplace: () => void;
}) {
  const { projectId, provider, credential, isReader, onReplace } = props;
  const { name, models } = credential;
  const remove = useApiMutation(
    () =>
      callApi(
        'DELETE',
        `/projects/${projectId}/credentials/${provider.name}?name=${encodeURIComponent(name)}`,
      ),
    { refresh: ['/projects'], successMessage: 'Credential removed.' },
  );
  return (
    <Group justify="space-between" wrap="nowrap" pl="md">
      <Group gap="sm">
        <Badge color="teal">{name}</Badge>
        {models.length > 0 && (
          <Text size="xs" c="dimmed">
            {models.join(', ')}
          </Text>
        )}
      </Group>
      {!isReader && (
        <Group gap={4} wrap="nowrap">
          <Button size="compact-sm" variant="subtle" onClick={onReplace}>
            Replace
          </Button>
          <ConfirmButton
            label="Remove"
            title={`Remove the ${provider.label} credential "${name}"`}
            effect="Requests that used it are sent with the default credential, or rejected if there is none (401 missing_provider_key)."
            confirm="Remove credential"
            action={() => remove.mutateAsync(undefined)}
            pending={remove.isPending}
            error={remove.error}
          />
        </Group>
      )}
    </Group>
  );
}

function StoreCredential(props: Selected & { readonly projectId: string; readonly onClose: () => void }) {
  const { provider, credential, projectId, onClose } = props;
  const form = useForm({
    initialValues: {
      secret: '',
      name: credential?.name ?? DEFAULT_CREDENTIAL,
      models: [...(credential?.models ?? [])],
    },
    validate: {
      secret: (text) => (text.trim().length < 8 ? 'Enter at least 8 characters.' : null),
      name: (text) => (text.trim() === '' ? 'Enter a name.' : null),
    },
  });
  const store = useApiMutation(
    ({ secret, name, models }: { secret: string; name: string; models: string[] }) =>
      callApi('PUT', `/projects/${projectId}/credentials/${provider.name}`, {
        body: { secret, name: name.trim(), models },
      }),
    { refresh: ['/projects'], quiet: true, successMessage: `${provider.label} credential saved.` },
  );
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`${provider.label} credential`}
      submit="Save credential"
      pending={store.isPending}
      error={store.error}
      onSubmit={form.onSubmit((values) => store.mutate(values, { onSuccess: onClose }))}
    >
      <PasswordInput
        label={`${provider.label} API key`}
        description="Encrypted with the master key and used only for requests of this project."
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('secret')}
      />
      <TextInput
        label="Name"
        description="Requests choose a credential by this name in the X-Service-Credential header."
        disabled={credential !== undefined}
        {...form.getInputProps('name')}
      />
      <TagsInput
        label="Models"
        description="Used for these models. The default credential is used for all others."
        placeholder="Add a model and press Enter"
        {...form.getInputProps('models')}
      />
    </FormModal>
  );
}
