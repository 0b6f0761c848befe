import type { DeviceRecord, RevokeDevices } from '@csg/shared/contract';
import { Group, List, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';

const NAMED = 10;
/** Maximum number of devices that one request of the API revokes. */
const MAX_DEVICES = 500;

/** Actions on the selected devices. */
export function RevokeDevicesBar(props: {
  readonly selected: readonly DeviceRecord[];
  readonly onDone: () => void;
}) {
  const { selected, onDone } = props;
  const count = selected.length === 1 ? '1 device' : `${selected.length} devices`;
  const revoke = useApiMutation(
    (body: RevokeDevices) => callApi<{ revoked: string[] }>('POST', '/devices/revoke', { body }),
    {
      refresh: ['/devices'],
      successMessage: ({ revoked }) =>
        `${revoked.length === 1 ? '1 device' : `${revoked.length} devices`} revoked.`,
      quiet: true,
    },
  );
  if (selected.length === 0) return null;
  return (
    <Group gap="sm" mb="sm">
      <Text size="sm">{count} selected</Text>
      <ConfirmButton
        label="Revoke selected"
        variant="light"
        disabled={selected.length > MAX_DEVICES}
        title={`Revoke ${count}`}
        effect={
          <>
            Their credentials stop working immediately, and they are then no longer protected. To protect a
            device again, enroll it again.
            <List size="sm" mt="xs">
              {selected.slice(0, NAMED).map(({ id, name, user_email }) => (
                <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                  {user_email !== null && ` (${user_email})`}
                </List.Item>
              ))}
              {selected.length > NAMED && <List.Item>{selected.length - NAMED} more</List.Item>}
            </List>
          </>
        }
        confirm={`Revoke ${count}`}
        action={() => revoke.mutateAsync({ device_ids: selected.map(({ id }) => id) }).then(onDone)}
        pending={revoke.isPending}
        error={revoke.error}
      />
    </Group>
  );
}
