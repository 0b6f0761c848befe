import {
  Avatar,
  Group,
  Menu,
  SegmentedControl,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { IconCheck, IconChevronUp, IconLogout, IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useApiMutation } from '../data/hooks.ts';
import { selectOrganization, signOut, useSession } from '../data/session.ts';

/** The current user, their organizations, and the color theme. */
export function AccountMenu() {
  const { user, organization, organizations } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = useApiMutation(signOut);
  const select = useApiMutation(selectOrganization);
  const name = user.name ?? user.email;
  const isNameShared = (title: string) => organizations.filter((one) => one.name === title).length > 1;
  const current = organizations.find(({ id }) => id === organization.id);
  return (
    <Menu position="top-start" width={230} withinPortal>
      <Menu.Target>
        <UnstyledButton w="100%" p={8}>
          <Group gap="sm" wrap="nowrap">
            <Avatar size={30} radius="xl" name={name} variant="filled" color="gray.7" aria-hidden />
            <div style={{ minWidth: 0, flex: 1 }}>
              <Text size="sm" fw={550} truncate lh={1.25}>
                {name}
              </Text>
              <Text size="xs" c="dimmed" truncate lh={1.25}>
                {organization.name}
              </Text>
              {current !== undefined && current.role !== 'owner' && isNameShared(current.name) && (
                <Text size="xs" c="dimmed" truncate lh={1.25}>
                  Owned by {current.owner_email}
                </Text>
              )}
            </div>
            <IconChevronUp size={14} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {organizations.length > 1 && (
          <>
            <Menu.Label>Organizations</Menu.Label>
            {organizations.map(({ id, name: title, role, owner_email }) => (
              <Menu.Item
                key={id}
                onClick={() => select.mutate(id)}
                rightSection={id === organization.id ? <IconCheck size={14} aria-label="selected" /> : null}
              >
                {title}
                {isNameShared(title) && (
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {role === 'owner' ? 'Owned by you' : `Owned by ${owner_email}`}
                  </Text>
                )}
              </Menu.Item>
            ))}
            <Menu.Divider />
          </>
        )}
        <Menu.Label>Theme</Menu.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          mx={6}
          mb={6}
          w="calc(100% - 12px)"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
          data={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
            { value: 'auto', label: 'System' },
          ]}
          aria-label="Theme"
        />
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={15} />}>
          My account
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => leave.mutate(undefined)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
