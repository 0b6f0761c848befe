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

/** API keys of model providers, for requests without their own credential. */
export function ProviderCredentials(props: {
  readonly project: DashboardProject;
  readonly isReader: boolean;
}) {
  const { project, isReader } = props;
  const read = useApiQuery<ProviderRow[]>('/providers');
  const [selected, setSelected] = useState<ProviderRow | null>(null);
  const remove = useApiMutation(
    (provider: string) => callApi('DELETE', `/projects/${project.id}/credentials/${provider}`),
    { refresh: ['/projects'], successMessage: 'Credential removed.' },
  );
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
                const isSet = project.providers.includes(provider.name);
                return (
                  <Group key={provider.name} justify="space-between" wrap="nowrap">
                    <Group gap="sm">
                      <Text size="sm">{provider.label}</Text>
                      <Badge color={isSet ? 'teal' : 'gray'}>{isSet ? 'stored' : 'not set'}</Badge>
                    </Group>
                    {!isReader && (
                      <Group gap={4} wrap="nowrap">
                        <Button size="compact-sm" variant="subtle" onClick={() => setSelected(provider)}>
                          {isSet ? 'Replace' : 'Add'}
                        </Button>
                        {isSet && (
                          <ConfirmButton
                            label="Remove"
                            title={`Remove the ${provider.label} credential`}
                            effect="Requests of this project without their own credential are rejected (401 missing_provider_key)."
                            confirm="Remove credential"
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
    validate: { secret: (text) => (text.trim().length < 8 ? 'Enter at least 8 characters.' : null) },
  });
  const store = useApiMutation(
    (secret: string) =>
      callApi('PUT', `/projects/${projectId}/credentials/${provider.name}`, { body: { secret } }),
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
      onSubmit={form.onSubmit(({ secret }) => store.mutate(secret, { onSuccess: onClose }))}
    >
      <PasswordInput
        label={`${provider.label} API key`}
        description="Encrypted with the master key and used only for requests of this project."
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('secret')}
      />
    </FormModal>
  );
}
