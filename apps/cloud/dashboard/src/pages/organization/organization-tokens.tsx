import type { TokenScope } from '@csg/shared/contract';
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
import { dayText } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

const PATH = '/organization-tokens';
const DAY_MS = 24 * 60 * 60 * 1_000;

interface TokenRecord {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

/** Scopes that a token can have: areas of the dashboard, to change or only to read. */
const SCOPES: readonly { readonly value: TokenScope; readonly label: string }[] = [
  { value: 'events:read', label: 'Events (read)' },
  { value: 'audit:read', label: 'Audit log (read)' },
  { value: 'usage:read', label: 'Usage (read)' },
  { value: 'members', label: 'Members' },
  { value: 'members:read', label: 'Members (read)' },
  { value: 'policies', label: 'Policies' },
  { value: 'policies:read', label: 'Policies (read)' },
  { value: 'projects', label: 'Projects' },
  { value: 'projects:read', label: 'Projects (read)' },
  { value: 'webhooks', label: 'Webhooks' },
  { value: 'webhooks:read', label: 'Webhooks (read)' },
  { value: 'devices', label: 'Devices' },
  { value: 'devices:read', label: 'Devices (read)' },
  { value: 'approvals', label: 'Approvals' },
  { value: 'approvals:read', label: 'Approvals (read)' },
];
const LIFETIMES = [
  { value: '', label: 'Never' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
];

/** Tokens of programs that administer the organization. */
export function OrganizationTokens() {
  const read = useApiQuery<TokenRecord[]>(PATH);
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useApiMutation((id: string) => callApi('DELETE', `${PATH}/${id}`), {
    refresh: [PATH],
    quiet: true,
    successMessage: 'Token revoked.',
  });
  return (
    <Card>
      <Section
        title="Organization tokens"
        about="For programs that administer this organization. A token acts as the person who created it and ends with their admin role."
        actions={
          <Button size="xs" variant="default" onClick={open}>
            Create token
          </Button>
        }
      >
        <Loaded read={read} height={60}>
          {(tokens) =>
            tokens.length === 0 ? (
              <Text size="sm" c="dimmed">
                No tokens.
              </Text>
            ) : (
              <Stack gap="xs">
                {tokens.map(({ id, name, scopes, expires_at, last_used_at }) => (
                  <Group key={id} justify="space-between" wrap="nowrap">
                    <div style={{ minWidth: 0 }}>
                      <Text size="sm">{name}</Text>
                      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                        {scopes.join(', ')}
                      </Text>
                      <Text size="xs" c="dimmed">
                        last used <TimeAgo at={last_used_at} />
                        {expires_at !== null && `, expires ${dayText(expires_at)}`}
                      </Text>
                    </div>
                    <ConfirmButton
                      label="Revoke"
                      ariaLabel={`Revoke ${name}`}
                      title={`Revoke "${name}"`}
                      effect="Programs that use this token are rejected within a second."
                      confirm="Revoke token"
                      pending={remove.isPending}
                      error={remove.error}
                      action={() => remove.mutateAsync(id)}
                    />
                  </Group>
                ))}
              </Stack>
            )
          }
        </Loaded>
      </Section>
      {isOpen && <NewToken onClose={close} />}
    </Card>
  );
}

function NewToken(props: { readonly onClose: () => void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: { name: '', scopes: [] as TokenScope[], days: '90' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      scopes: (scopes) => (scopes.length === 0 ? 'Select at least one scope.' : null),
    },
  });
  const create = useApiMutation(
    (body: object) => callApi<{ readonly token: string }>('POST', PATH, { body }),
    { refresh: [PATH], quiet: true },
  );
  if (create.data !== undefined) {
    return (
      <ShownOnceModal
        title="Organization token"
        value={create.data.token}
        label="token"
        onClose={props.onClose}
      />
    );
  }
  return (
    <FormModal
      opened
      onClose={props.onClose}
      title="Create an organization token"
      submit="Create token"
      pending={create.isPending}
      error={error}
      onSubmit={form.onSubmit(({ name, scopes, days }) => {
        setError(null);
        const expires = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
        create.mutate(
          { name: name.trim(), scopes, expires_at: expires },
          { onError: (refusal) => setError(toFields(refusal, form)) },
        );
      })}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          placeholder="Terraform"
          maxLength={80}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <MultiSelect
          label="Scopes"
          description="Permissions of the token. It can never read secrets of keys or tokens."
          data={[...SCOPES]}
          searchable
          {...form.getInputProps('scopes')}
        />
        <Select label="Expires" data={LIFETIMES} allowDeselect={false} {...form.getInputProps('days')} />
      </Stack>
    </FormModal>
  );
}
