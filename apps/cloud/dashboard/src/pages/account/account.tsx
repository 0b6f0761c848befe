import { Grid, Stack } from '@mantine/core';
import { Page } from '../../components/page.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Settings of the user, independent of the selected organization. */
export function Account() {
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
            <OwnSessions />
            <DeleteAccount />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
