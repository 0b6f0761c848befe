import type { CreatedEnrollment, CreateEnrollment, EnrollmentRecord, Platform } from '@csg/shared/contract';
import { Button, Card, Grid, NumberInput, Select, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import { StateBadge } from '../../components/badges.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { toFields } from '../../components/form-errors.ts';
import { Section } from '../../components/page.tsx';
import { Empty, ErrorAlert } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery, useMemberChoices } from '../../data/hooks.ts';
import { namesOf, PLATFORM_LABELS } from '../../data/labels.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';
import { useSession } from '../../data/session.ts';

const LIFETIMES = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];

/** Enrollment tokens: created, shown once, counted and revoked here. */
export function Enrollments() {
  const read = useApiQuery<EnrollmentRecord[]>('/enrollments', { refetchMs: 5_000 });
  const [created, setCreated] = useState<CreatedEnrollment | null>(null);
  const revoke = useApiMutation((id: string) => callApi('POST', `/enrollments/${id}/revoke`), {
    refresh: ['/enrollments'],
    successMessage: 'Token revoked.',
    quiet: true,
  });
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Card>
          <Section
            title="Enroll devices"
            about="Devices join this organization with a token, which is shown once."
          >
            <NewEnrollment onCreated={setCreated} />
          </Section>
        </Card>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          {created && <CreatedToken created={created} />}
          <Card p={{ base: 'sm', sm: 'md' }}>
            <Section title="Tokens">
              <DataTable
                label="Enrollment tokens"
                rows={read.data}
                rowKey={({ id }) => id}
                error={read.error}
                retry={() => read.refetch()}
                isDim={({ state }) => state !== 'open'}
                empty={
                  <Empty icon={<IconTicket size={22} />} title="No tokens yet">
                    Create a token for one person's device, or for many devices set up by device management.
                  </Empty>
                }
                columns={[
                  { title: 'Label', isName: true, cell: ({ label, id }) => label ?? id },
                  { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
                  {
                    title: 'Used',
                    align: 'right',
                    cell: ({ uses, uses_left }) => `${uses - uses_left} of ${uses}`,
                  },
                  {
                    title: 'Platform',
                    cell: ({ platform }) => (platform === null ? 'Any' : PLATFORM_LABELS[platform]),
                  },
                  {
                    title: 'Expires',
                    cell: ({ expires_at }) => <TimeAgo at={expires_at} never="never" />,
                  },
                  {
                    title: 'Actions',
                    hideTitle: true,
                    align: 'right',
                    cell: ({ id, state, label }) =>
                      state === 'open' ? (
                        <ConfirmButton
                          label="Revoke"
                          ariaLabel={`Revoke ${label ?? id}`}
                          title="Revoke token"
                          effect="The token can no longer enroll devices. Devices that are already enrolled are not affected."
                          confirm="Revoke token"
                          action={() => revoke.mutateAsync(id)}
                          pending={revoke.isPending}
                          error={revoke.error}
                        />
                      ) : null,
                  },
                ]}
              />
            </Section>
          </Card>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function NewEnrollment(props: { readonly onCreated: (created: CreatedEnrollment) => void }) {
  const projects = useProjects();
  const members = useMemberChoices();
  const me = useSession().user.email;
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: {
      project_id: '',
      label: '',
      platform: '',
      uses: 1,
      expires_in_hours: '24',
      user_email: '',
    },
  });
  const first = projects.data?.[0]?.id ?? '';
  const create = useApiMutation(
    (body: CreateEnrollment) => callApi<CreatedEnrollment>('POST', '/enrollments', { body }),
    { refresh: ['/enrollments'], quiet: true },
  );
  return (
    <form
      onSubmit={form.onSubmit((values) => {
        setError(null);
        create.mutate(
          {
            project_id: values.project_id || first,
            label: values.label.trim(),
            uses: values.uses,
            expires_in_hours: Number(values.expires_in_hours),
            ...(values.platform === '' ? {} : { platform: values.platform as Platform }),
            ...(values.uses > 1 || values.user_email === '' ? {} : { user_email: values.user_email }),
          },
          {
            onSuccess: (created) => {
              props.onCreated(created);
              form.reset();
            },
            onError: (error) => setError(toFields(error, form)),
          },
        );
      })}
    >
      <Stack gap="sm">
        <Select
          label="Project"
          description="Its preset and policies apply to these devices."
          data={projectChoices(projects.data)}
          allowDeselect={false}
          {...form.getInputProps('project_id')}
          value={form.values.project_id || first}
        />
        <NumberInput
          label="Devices"
          description={
            form.values.uses > 1
              ? 'Tokens for several devices set only the label. The devices are not assigned to a person.'
              : 'Single-use tokens assign the device to its owner. It is revoked if they leave.'
          }
          min={1}
          max={10_000}
          allowDecimal={false}
          {...form.getInputProps('uses')}
        />
        {form.values.uses === 1 && (
          <Select
            label="Owner"
            data={members}
            searchable
            allowDeselect={false}
            nothingFoundMessage="No matching member"
            {...form.getInputProps('user_email')}
            value={form.values.user_email || me}
          />
        )}
        <TextInput
          label="Label"
          placeholder="Sales laptops"
          maxLength={100}
          {...form.getInputProps('label')}
        />
        <Select
          label="Platform"
          allowDeselect={false}
          data={[
            { value: '', label: 'Any' },
            ...namesOf(PLATFORM_LABELS).map((value) => ({ value, label: PLATFORM_LABELS[value] })),
          ]}
          {...form.getInputProps('platform')}
        />
        <Select
          label="Valid for"
          data={LIFETIMES}
          allowDeselect={false}
          {...form.getInputProps('expires_in_hours')}
        />
        {error && <ErrorAlert error={error} />}
        <Button type="submit" loading={create.isPending}>
          Create token
        </Button>
      </Stack>
    </form>
  );
}

export function CreatedToken(props: { readonly created: CreatedEnrollment }) {
  const { token, link, command, managed_file } = props.created;
  return (
    <Card>
      <Section title="Enrollment token (shown only once)">
        <Tabs defaultValue="link">
          <Tabs.List mb="sm">
            <Tabs.Tab value="link">Link</Tabs.Tab>
            <Tabs.Tab value="command">Terminal</Tabs.Tab>
            <Tabs.Tab value="file">Managed file</Tabs.Tab>
            <Tabs.Tab value="token">Token</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="link">
            <Text size="sm" mb={6}>
              Send this link to the user. It opens the agent on their device, which asks before it enrolls.
            </Text>
            <CopyText value={link} label="link" block />
          </Tabs.Panel>
          <Tabs.Panel value="command">
            <Text size="sm" mb={6}>
              Run this command on the device. It asks for the token:
            </Text>
            <CopyText value={command} label="command" block />
            <CopyText value={token} label="token" block />
          </Tabs.Panel>
          <Tabs.Panel value="file">
            <Text size="sm" mb={6}>
              Deploy this file with device management. The agent enrolls with --managed FILE.
            </Text>
            <CopyText value={JSON.stringify(managed_file, null, 2)} label="file" block />
          </Tabs.Panel>
          <Tabs.Panel value="token">
            <CopyText value={token} label="token" block />
          </Tabs.Panel>
        </Tabs>
      </Section>
    </Card>
  );
}
