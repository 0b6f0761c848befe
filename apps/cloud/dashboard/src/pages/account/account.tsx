import { Card, Grid, Stack, Text } from '@mantine/core';
import { DeleteByName } from '../../components/delete-by-name.tsx';
import { Page, Section } from '../../components/page.tsx';
import { useSession } from '../../data/session.ts';
import { LinkedIdentities } from './linked-identities.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Settings of the user, independent of the selected organization. */
export function Account() {
  const { signed_in_by: signedInBy } = useSession();
  if (signedInBy === 'sso') return <SsoAccount />;
  return (
    <Page title="My account" about="Applies to all your organizations.">
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <ProfileForm />
            <PasswordForm />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <SecondFactor />
            <LinkedIdentities />
            <OwnSessions />
            <DeleteAccount />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

/** A single sign-on session is valid only in its organization and cannot change the account. */
function SsoAccount() {
  const { user, organization } = useSession();
  return (
    <Page title="My account" about={`You signed in with single sign-on of ${organization.name}.`}>
      <Card maw={620}>
        <Section title="Profile">
          <div>
            <Text size="sm" fw={500}>
              {user.name ?? 'No name'}
            </Text>
            <Text size="sm">{user.email}</Text>
          </div>
          <Text size="sm" c="dimmed">
            Your password, sessions and other organizations are not shown in this session. To change them,
            sign out and sign in with your password. Your identity provider manages accounts without one.
          </Text>
        </Section>
      </Card>
    </Page>
  );
}

/** Reloads the page afterwards, because the session has ended. */
function DeleteAccount() {
  const { user } = useSession();
  return (
    <DeleteByName
      what="account"
      name={user.email}
      about="Transfer or delete organizations with other members first."
      effect="Organizations in which you are the only member are deleted with all their projects, API keys and events. In all other organizations, the API keys you created and the devices assigned to you stop working. Your name, email address and sessions are deleted."
      path="/account"
      requiresPassword
      onDone={() => location.assign('/dashboard/')}
    />
  );
}
