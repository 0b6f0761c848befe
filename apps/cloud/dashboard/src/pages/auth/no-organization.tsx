import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { OwnInvitations } from '../../components/own-invitations.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { signOut } from '../../data/session.ts';
import { AuthFrame } from './auth-frame.tsx';

/** For users who were removed from their last organization. */
export function NoOrganization() {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const create = useApiMutation((name: string) => callApi('POST', '/organizations', { body: { name } }), {
    quiet: true,
  });
  return (
    <AuthFrame
      title="You are not a member of any organization"
      about="Accept an invitation or create an organization."
      below={
        <Anchor component="button" size="sm" onClick={() => void signOut()}>
          Sign out
        </Anchor>
      }
    >
      <OwnInvitations />
      <form
        noValidate
        onSubmit={form.onSubmit(({ name }) =>
          create.mutate(name.trim(), {
            onSuccess: () => client.invalidateQueries({ queryKey: ['/session'] }),
          }),
        )}
      >
        <Stack>
          <TextInput label="Organization name" maxLength={80} {...form.getInputProps('name')} />
          {create.error && <ErrorAlert error={create.error} />}
          <Button type="submit" loading={create.isPending} fullWidth>
            Create organization
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
