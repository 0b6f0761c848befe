import { Button, Tabs } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from 'react-router';
import { Page } from '../../components/page.tsx';
import { isAtLeast, useSession } from '../../data/session.ts';
import { DeviceList } from './device-list.tsx';
import { Enrollments } from './enrollments.tsx';
import { FleetSettings } from './fleet-settings.tsx';

/** Machines with the agent on them: as they are now, how they join, what all of them are told. */
export function Devices() {
  const { tab = 'list' } = useParams();
  const navigate = useNavigate();
  const isAdmin = isAtLeast(useSession(), 'admin');
  return (
    <Page
      title="Devices"
      about="Machines that run the agent. It guards AI apps and pages on them, and looks at nothing else."
      actions={
        isAdmin && tab !== 'enroll' ? (
          <Button component={Link} to="/devices/enroll" leftSection={<IconPlus size={16} />}>
            Enroll machines
          </Button>
        ) : null
      }
    >
      <Tabs
        value={tab}
        onChange={(value) => navigate(value === 'list' ? '/devices' : `/devices/${value}`)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="list">Devices</Tabs.Tab>
          {isAdmin && <Tabs.Tab value="enroll">Enrollment</Tabs.Tab>}
          <Tabs.Tab value="settings">Settings for all</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="list">
          <DeviceList />
        </Tabs.Panel>
        <Tabs.Panel value="enroll">
          <Enrollments />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <FleetSettings isReader={!isAdmin} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
