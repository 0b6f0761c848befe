import { Button } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty
        icon={<IconCompass size={22} />}
        title="No page exists at this address"
        action={
          <Button component={Link} to="/">
            Go to overview
          </Button>
        }
      >
        Check the address.
      </Empty>
    </Page>
  );
}
