import type { Overview } from '@csg/shared/contract';
import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconDevices } from '@tabler/icons-react';
import { Link } from 'react-router';
import { StateBadge } from '../../components/badges.tsx';
import { Section } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { countOf } from '../../data/format.ts';

/** Worst first: devices without protection have to be seen. */
const ORDER = [
  'gave_up',
  'silent',
  'retrying',
  'needs_administrator',
  'programs_only',
  'never_seen',
  'quiet',
];

export function DeviceStates(props: { readonly data: Overview | undefined }) {
  const { data } = props;
  const states = ORDER.filter((state) => (data?.devices[state] ?? 0) > 0);
  return (
    <Section title="Devices">
      {data === undefined ? (
        <Skeleton height={180} />
      ) : states.length === 0 ? (
        <Empty
          icon={<IconDevices size={22} />}
          title="No devices enrolled"
          action={
            <Button component={Link} to="/devices/enroll" variant="light" size="xs">
              Enroll a device
            </Button>
          }
        >
          The agent checks what people enter into AI apps on their computers.
        </Empty>
      ) : (
        <Stack gap={10}>
          {states.map((state) => (
            <Group key={state} justify="space-between">
              <StateBadge state={state} />
              <Anchor component={Link} to={`/devices?state=${state}`} size="sm">
                {countOf(data.devices[state] ?? 0, 'device')}
              </Anchor>
            </Group>
          ))}
          {(data.devices['gave_up'] ?? 0) > 0 && (
            <Text size="xs" c="dimmed">
              Devices with protection off are not protected. Their network works normally.
            </Text>
          )}
        </Stack>
      )}
    </Section>
  );
}
