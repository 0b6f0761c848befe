import type { CreatedKey, KeyRecord, RevealedKey } from '@csg/shared/contract';
import { ActionIcon, Button, Group, Menu, Modal, Select, Stack, Text } from '@mantine/core';
import { IconAdjustments, IconDots, IconEye, IconPower, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyText, ShownOnce } from '../../components/copy-text.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { KeyLimits } from './key-limits.tsx';

type KeyAction = 'reveal' | 'rotate' | 'toggle' | 'delete';
const GRACE_PERIODS = [
  { value: '0', label: 'Immediately' },
  { value: '60', label: 'In 1 hour' },
  { value: '1440', label: 'In 1 day' },
  { value: '10080', label: 'In 7 days' },
];

/** Actions on an API key, each with a dialog that states its effect. */
export function KeyActions(props: { readonly record: KeyRecord }) {
  const { record } = props;
  const [selected, setSelected] = useState<KeyAction | 'limits' | null>(null);
  return (
    <>
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${record.name}`}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => setSelected('rotate')}>
            Rotate
          </Menu.Item>
          <Menu.Item leftSection={<IconAdjustments size={15} />} onClick={() => setSelected('limits')}>
            Limits
          </Menu.Item>
          <Menu.Item leftSection={<IconPower size={15} />} onClick={() => setSelected('toggle')}>
            {record.is_active ? 'Disable' : 'Enable'}
          </Menu.Item>
          <Menu.Item leftSection={<IconEye size={15} />} onClick={() => setSelected('reveal')}>
            Reveal
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => setSelected('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {selected === 'limits' && <KeyLimits record={record} onClose={() => setSelected(null)} />}
      {selected !== null && selected !== 'limits' && (
        <ActionDialog action={selected} record={record} onClose={() => setSelected(null)} />
      )}
    </>
  );
}

function ActionDialog(props: {
  readonly action: KeyAction;
  readonly record: KeyRecord;
  readonly onClose: () => void;
}) {
  const { action, record, onClose } = props;
  const [grace, setGrace] = useState('1440');
  const texts = textsFor(action, record);
  const mutation = useApiMutation(
    (): Promise<CreatedKey | RevealedKey | KeyRecord | undefined> =>
      perform(action, record.id, Number(grace)),
    {
      refresh: ['/keys'],
      quiet: true,
      ...(texts.successMessage === undefined ? {} : { successMessage: texts.successMessage }),
    },
  );
  const shownKey = mutation.data !== undefined && 'key' in mutation.data ? mutation.data.key : null;
  return (
    <Modal opened onClose={onClose} title={texts.title} size={shownKey === null ? 'md' : 'lg'}>
      <Stack>
        {shownKey === null ? (
          <Text size="sm">{texts.effect}</Text>
        ) : action === 'rotate' ? (
          <ShownOnce value={shownKey} label="new API key" about="Copy it to your application now." />
        ) : (
          <CopyText value={shownKey} label="API key" block />
        )}
        {action === 'rotate' && shownKey === null && (
          <Select
            label="Old key expires"
            data={GRACE_PERIODS}
            value={grace}
            allowDeselect={false}
            onChange={(value) => setGrace(value ?? grace)}
          />
        )}
        {mutation.error && <ErrorAlert error={mutation.error} />}
        <Group justify="flex-end">
          {shownKey === null ? (
            <>
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button
                data-autofocus
                color={action === 'delete' ? 'red.9' : undefined}
                loading={mutation.isPending}
                onClick={() =>
                  mutation.mutate(undefined, {
                    onSuccess: (data) => {
                      if (data === undefined || !('key' in data)) onClose();
                    },
                  })
                }
              >
                {texts.confirm}
              </Button>
            </>
          ) : (
            <Button onClick={onClose}>Done</Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function perform(
  action: KeyAction,
  id: string,
  graceMinutes: number,
): Promise<CreatedKey | RevealedKey | KeyRecord | undefined> {
  switch (action) {
    case 'reveal':
      return callApi<RevealedKey>('POST', `/keys/${id}/reveal`);
    case 'rotate':
      return callApi<CreatedKey>('POST', `/keys/${id}/rotate`, { body: { grace_minutes: graceMinutes } });
    case 'toggle':
      return callApi<KeyRecord>('PUT', `/keys/${id}/toggle`);
    case 'delete':
      return callApi<undefined>('DELETE', `/keys/${id}`);
  }
}

function textsFor(action: KeyAction, { name, is_active }: KeyRecord) {
  switch (action) {
    case 'reveal':
      return {
        title: `Reveal "${name}"`,
        effect: 'Shows the full key. This is recorded in the audit log.',
        confirm: 'Reveal key',
        successMessage: undefined,
      };
    case 'rotate':
      return {
        title: `Rotate "${name}"`,
        effect: 'Creates a new key with the same permissions. Select when the old key expires.',
        confirm: 'Rotate key',
        successMessage: undefined,
      };
    case 'toggle':
      return is_active
        ? {
            title: `Disable "${name}"`,
            effect: 'Requests with this key are rejected (401 disabled_api_key) until you enable it again.',
            confirm: 'Disable key',
            successMessage: 'API key disabled.',
          }
        : {
            title: `Enable "${name}"`,
            effect: 'Requests with this key are accepted again.',
            confirm: 'Enable key',
            successMessage: 'API key enabled.',
          };
    case 'delete':
      return {
        title: `Delete "${name}"`,
        effect:
          'Requests with this key are rejected permanently. This cannot be undone. To replace the key without downtime, rotate it instead.',
        confirm: 'Delete key',
        successMessage: 'API key deleted.',
      };
  }
}
