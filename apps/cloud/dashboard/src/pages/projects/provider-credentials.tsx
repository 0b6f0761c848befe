import type { DashboardProject } from '@csg/shared/contract';
import { Badge, Button, Card, Group, PasswordInput, Stack, Text } from '@mantine/core';
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

/** Keys of model providers, for requests that bring none. */
export function ProviderCredentials(props: {
  readonly project: DashboardProject;
  readonly isReader: boolean;
}) {
  const { project, isReader } = props;
  const read = useApiQuery<ProviderRow[]>('/providers');
  const [selected, setSelected] = useState<ProviderRow | null>(null);
  const remove = useApiMutation(
    (provider: string) => callApi('DELETE', `/projects/${project.id}/credentials/${provider}`),
    { refresh: ['/projects'], successMessage: 'The credential is removed.' },
  );
  return (
    <Card>
      <Section
        title="Provider credentials"
        about="Used where a request brings no Authorization of its own. Sealed, and never shown again."
      >
        <Loaded read={read} height={90}>
          {(providers) => (
            <Stack gap="sm">
              {providers.map((provider) => {
                const isSet = project.providers.includes(provider.name);
                return (
                  <Group key={provider.name} justify="space-between" wrap="nowrap">
                    <Group gap="sm">
                      <Text size="sm">{provider.label}</Text>
                      <Badge color={isSet ? 'teal' : 'gray'}>{isSet ? 'stored' : 'none'}</Badge>
                    </Group>
                    {!isReader && (
                      <Group gap={4} wrap="nowrap">
                        <Button size="compact-sm" variant="subtle" onClick={() => setSelected(provider)}>
                          {isSet ? 'Replace' : 'Store'}
                        </Button>
                        {isSet && (
                          <ConfirmButton
                            label="Remove"
                            title={`Remove the ${provider.label} credential`}
                            effect="Requests of this project that bring no credential of their own are refused (401 missing_provider_key)."
                            confirm="Remove it"
                            action={() => remove.mutateAsync(provider.name)}
                            pending={remove.isPending}
                            error={remove.error}
                          />
                        )}
                      </Group>
                    )}
                  </Group>
                );
              })}
            </Stack>
          )}
        </Loaded>
      </Section>
      {selected && (
        <StoreCredential provider={selected} projectId={project.id} onClose={() => setSelected(null)} />
      )}
    </Card>
  );
}

function StoreCredential(props: {
  readonly provider: ProviderRow;
  readonly projectId: string;
  readonly onClose: () => void;
}) {
  const { provider, projectId, onClose } = props;
  const form = useForm({
    initialValues: { secret: '' },
    validate: { secret: (text) => (text.trim().length < 8 ? 'This is too short for a credential.' : null) },
  });
  const store = useApiMutation(
    (secret: string) =>
      callApi('PUT', `/projects/${projectId}/credentials/${provider.name}`, { body: { secret } }),
    { refresh: ['/projects'], quiet: true, successMessage: `The ${provider.label} credential is stored.` },
  );
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`${provider.label} credential`}
      submit="Store it"
      pending={store.isPending}
      error={store.error}
      onSubmit={form.onSubmit(({ secret }) => store.mutate(secret, { onSuccess: onClose }))}
    >
      <PasswordInput
        label={`API key of ${provider.label}`}
        description="It is sealed with the master key and used for requests of this project alone."
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('secret')}
      />
    </FormModal>
  );
}
