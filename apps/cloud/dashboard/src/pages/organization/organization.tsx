import type { ChangeOrganizationRequest, OrganizationResponse, VersionResponse } from '@csg/shared/contract';
import {
  Alert,
  Button,
  Card,
  Code,
  Grid,
  Group,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link } from 'react-router';
import { DeleteByName } from '../../components/delete-by-name.tsx';
import { toFields } from '../../components/form-errors.ts';
import { Page, Section } from '../../components/page.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { dayText } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { DirectorySync } from './directory-sync.tsx';
import { OrganizationTokens } from './organization-tokens.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import { TransferOrganization } from './transfer-organization.tsx';

export function OrganizationSettings() {
  const session = useSession();
  const isAdmin = isAtLeast(session, 'admin');
  const read = useApiQuery<OrganizationResponse>('/organization', { enabled: isAdmin });
  if (!isAdmin) {
    return (
      <Page title="Settings" about="Organization settings">
        <Text>Only admins and owners of this organization can see and change its settings.</Text>
      </Page>
    );
  }
  return (
    <Page title="Settings" about="Organization settings">
      <Loaded read={read} height={320}>
        {(organization) => (
          <Grid>
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Stack>
                <General organization={organization} />
                <SecondFactorRule organization={organization} />
                <SingleSignOn organization={organization} />
                <AllowedAddresses organization={organization} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Stack>
                <Notifications />
                <OrganizationTokens />
                <DirectorySync />
                {isAtLeast(session, 'owner') && <TransferOrganization />}
                {isAtLeast(session, 'owner') && <DeleteOrganization organization={organization} />}
                <VersionNote />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </Page>
  );
}

function Notifications() {
  return (
    <Card>
      <Section
        title="Notifications"
        about="Email, Slack, Teams or a webhook is told when a request needs approval, a device or webhook fails, or many requests are blocked."
        actions={
          <Button component={Link} to="/endpoints?kind=notification" size="xs" variant="default">
            Notification targets
          </Button>
        }
      >
        {null}
      </Section>
    </Card>
  );
}

function useChange() {
  return useApiMutation(
    (body: ChangeOrganizationRequest) => callApi<OrganizationResponse>('PATCH', '/organization', { body }),
    { refresh: ['/organization', '/session'], quiet: true, successMessage: 'Saved.' },
  );
}

function General(props: { readonly organization: OrganizationResponse }) {
  const { organization } = props;
  const change = useChange();
  const form = useForm({
    initialValues: { name: organization.name },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  return (
    <Card>
      <form
        onSubmit={form.onSubmit(({ name }) =>
          change.mutate({ name: name.trim() }, { onSuccess: () => form.resetDirty() }),
        )}
      >
        <Section title="General">
          <TextInput label="Name" maxLength={80} {...form.getInputProps('name')} />
          <Text size="sm" c="dimmed">
            {organization.kind === 'personal' ? 'Personal' : 'Team'} organization, created{' '}
            {dayText(organization.created_at)} · <Code>{organization.id}</Code>
          </Text>
          {change.error && <ErrorAlert error={change.error} />}
          <Group justify="flex-end">
            <Button type="submit" disabled={!form.isDirty()} loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Section>
      </form>
    </Card>
  );
}

function SecondFactorRule(props: { readonly organization: OrganizationResponse }) {
  const { organization } = props;
  const change = useChange();
  return (
    <Card>
      <Section
        title="Two-factor authentication"
        about="If required, members who have not enabled it cannot use this organization until they do."
      >
        <Switch
          label="Require two-factor authentication"
          checked={organization.requires_second_factor}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ requires_second_factor: event.currentTarget.checked })}
        />
        {change.error && <ErrorAlert error={change.error} />}
      </Section>
    </Card>
  );
}

function AllowedAddresses(props: { readonly organization: OrganizationResponse }) {
  const { organization } = props;
  const change = useChange();
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({ initialValues: { allowed_ips: organization.allowed_ips } });
  const isUnavailable = !organization.ip_allow_list_available;
  return (
    <Card>
      <form
        onSubmit={form.onSubmit((values) => {
          setError(null);
          change.mutate(values, {
            onSuccess: () => form.resetDirty(),
            onError: (error) => setError(toFields(error, form)),
          });
        })}
      >
        <Section
          title="IP allow-list"
          about="Addresses from which API keys of this organization can be used. Does not apply to enrolled devices."
        >
          {isUnavailable && <Alert color="blue">The IP allow-list requires the Enterprise plan.</Alert>}
          <TagsInput
            label="Addresses and ranges"
            description={`For example 203.0.113.7 or 10.0.0.0/8. If empty, all addresses are allowed. Your current address is ${organization.your_address}.`}
            placeholder="Type an address and press Enter"
            disabled={isUnavailable}
            {...form.getInputProps('allowed_ips')}
          />
          {error && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button type="submit" disabled={isUnavailable || !form.isDirty()} loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Section>
      </form>
    </Card>
  );
}

/** Only for the owner. The session then switches to another organization, if there is one. */
function DeleteOrganization(props: { readonly organization: OrganizationResponse }) {
  const { id, name, is_operator: isOperator } = props.organization;
  return (
    <DeleteByName
      what="organization"
      name={name}
      about="Deletes the organization for all its members. Their accounts are kept."
      effect={
        <>
          All its projects, policies, API keys, requests and events are deleted, its devices are revoked, and
          its members lose access.
          {isOperator &&
            ' This is the organization of the operator of this gateway. The next start creates a new one and prints an API key and a set-up link.'}{' '}
          The audit log is kept.
        </>
      }
      path={`/organizations/${id}`}
      requiresPassword
      onDone={() => location.assign('/dashboard/')}
    />
  );
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** The only place that shows the running version. */
function VersionNote() {
  const read = useApiQuery<VersionResponse>('/version');
  return (
    <Card>
      <Section title="This gateway">
        <Loaded read={read} height={40}>
          {({ version, commit, environment, node, database }) => (
            <Text size="sm" c="dimmed">
              Version {version}
              {commit === null ? '' : ` (${commit.slice(0, 10)})`}, {environment}, on {ENGINES[database]},
              Node {node}.
            </Text>
          )}
        </Loaded>
      </Section>
    </Card>
  );
}
