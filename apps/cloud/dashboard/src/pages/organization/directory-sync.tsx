import type { DirectoryTokenRecord } from '@csg/shared/contract';
import { Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'react-router';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Section } from '../../components/page.tsx';
import { ShownOnceModal } from '../../components/shown-once-modal.tsx';
import { Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

interface CreatedToken {
  readonly token: string;
  readonly base_url: string;
}

/** SCIM 2.0: an identity provider adds and removes members. */
export function DirectorySync() {
  const read = useApiQuery<DirectoryTokenRecord[]>('/directory-tokens');
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useApiMutation((id: string) => callApi('DELETE', `/directory-tokens/${id}`), {
    refresh: ['/directory-tokens'],
    quiet: true,
    successMessage: 'Directory token removed.',
  });
  return (
    <Card>
      <Section
        title="Directory sync"
        about="Provision members with SCIM 2.0 from your identity provider, using a token of this organization."
        actions={
          <Group gap="xs">
            <Button size="xs" variant="default" component={Link} to="/settings/groups">
              Roles of groups
            </Button>
            <Button size="xs" variant="default" onClick={open}>
              Create token
            </Button>
          </Group>
        }
      >
        <Loaded read={read} height={60}>
          {(tokens) =>
            tokens.length === 0 ? (
              <Text size="sm" c="dimmed">
                No directory connected.
              </Text>
            ) : (
              <Stack gap="xs">
                {tokens.map(({ id, name, last_used_at }) => (
                  <Group key={id} justify="space-between" wrap="nowrap">
                    <div>
                      <Text size="sm">{name}</Text>
                      <Text size="xs" c="dimmed">
                        last used <TimeAgo at={last_used_at} />
                      </Text>
                    </div>
                    <ConfirmButton
                      label="Remove"
                      ariaLabel={`Remove ${name}`}
                      title={`Remove "${name}"`}
                      effect="The directory can no longer add or remove members. Existing members are kept."
                      confirm="Remove token"
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
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const create = useApiMutation(
    (name: string) => callApi<CreatedToken>('POST', '/directory-tokens', { body: { name } }),
    {
      refresh: ['/directory-tokens'],
      quiet: true,
    },
  );
  if (create.data !== undefined) {
    return (
      <ShownOnceModal title="Directory token" value={create.data.token} label="token" onClose={props.onClose}>
        <div>
          <Text size="sm">Base URL for the directory:</Text>
          <CopyText value={create.data.base_url} label="URL" />
        </div>
      </ShownOnceModal>
    );
  }
  return (
    <FormModal
      opened
      onClose={props.onClose}
      title="Connect a directory"
      submit="Create token"
      pending={create.isPending}
      error={create.error}
      onSubmit={form.onSubmit(({ name }) => create.mutate(name.trim()))}
    >
      <TextInput
        label="Name"
        placeholder="Company directory"
        maxLength={80}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormModal>
  );
}
