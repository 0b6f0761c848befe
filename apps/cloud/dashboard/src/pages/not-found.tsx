import { Button } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';

export function NotFound() {
  return (
    <Page title="Not here">
      <Empty
        icon={<IconCompass size={22} />}
        title="There is no page at this address"
        action={
          <Button component={Link} to="/">
            To the overview
          </Button>
        }
      >
        The link may be old, or a letter of it was lost.
      </Empty>
    </Page>
  );
}
