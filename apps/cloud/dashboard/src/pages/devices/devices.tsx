import type { CreatedEnrollment } from '@csg/shared/contract';
import { Button, Tabs } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { Page } from '../../components/page.tsx';
import { isAtLeast, useSession } from '../../data/session.ts';
import { DeviceList } from './device-list.tsx';
import { CreatedToken, Enrollments } from './enrollments.tsx';
import { FleetSettings } from './fleet-settings.tsx';
import { EnrollOwnDevice } from './own-device.tsx';

/** Devices with the agent: their state, their enrollment and their settings. */
export function Devices() {
  const { tab = 'list' } = useParams();
  const navigate = useNavigate();
  const session = useSession();
  const isAdmin = isAtLeast(session, 'admin');
  const [isEnrolling, setEnrolling] = useState(false);
  const [created, setCreated] = useState<CreatedEnrollment | null>(null);
  return (
    <Page
      title="Devices"
      about="Devices that run the agent. The agent checks AI apps and websites and inspects nothing else."
      actions={
        isAdmin && tab !== 'enroll' ? (
          <Button component={Link} to="/devices/enroll" leftSection={<IconPlus size={16} />}>
            Enroll devices
          </Button>
        ) : isAtLeast(session, 'member') && !isAdmin ? (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setEnrolling(true)}>
            Enroll your device
          </Button>
        ) : null
      }
    >
      {created && <CreatedToken created={created} />}
      {isEnrolling && <EnrollOwnDevice onCreated={setCreated} onClose={() => setEnrolling(false)} />}
      <Tabs
        value={tab}
        onChange={(value) => navigate(value === 'list' ? '/devices' : `/devices/${value}`)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="list">Devices</Tabs.Tab>
          {isAdmin && <Tabs.Tab value="enroll">Enrollment</Tabs.Tab>}
          <Tabs.Tab value="settings">Fleet settings</Tabs.Tab>
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
