import { Grid, Stack } from '@mantine/core';
import { Page } from '../../components/page.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecondFactor } from './second-factor.tsx';

/** What belongs to the person, whatever organization they look at. */
export function Account() {
  return (
    <Page title="My account" about="Yours in every organization you belong to.">
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
