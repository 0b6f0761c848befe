import type { CreatedKey, KeyRecord, RevealedKey } from '@csg/shared/contract';
import { ActionIcon, Button, Group, Menu, Modal, Select, Stack, Text } from '@mantine/core';
import { IconDots, IconEye, IconPower, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyText, ShownOnce } from '../../components/copy-text.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';

type KeyAction = 'reveal' | 'rotate' | 'toggle' | 'delete';
const GRACE_PERIODS = [
  { value: '0', label: 'ends at once' },
  { value: '60', label: 'works for 1 more hour' },
  { value: '1440', label: 'works for 1 more day' },
  { value: '10080', label: 'works for 7 more days' },
];

/** What can be done with one key; what each does is said before it is done. */
export function KeyActions(props: { readonly record: KeyRecord }) {
  const { record } = props;
  const [selected, setSelected] = useState<KeyAction | null>(null);
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
          <Menu.Item leftSection={<IconPower size={15} />} onClick={() => setSelected('toggle')}>
            {record.is_active ? 'Switch off' : 'Switch on'}
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
      {selected !== null && (
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
          <ShownOnce
            value={shownKey}
            label="new key"
            about="Copy it now to where the application reads it."
          />
        ) : (
          <CopyText value={shownKey} label="key" block />
        )}
        {action === 'rotate' && shownKey === null && (
          <Select
            label="The old key"
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
        effect: 'The whole key is shown here once more. That you looked is written to the audit log.',
        confirm: 'Reveal the key',
        successMessage: undefined,
      };
    case 'rotate':
      return {
        title: `Rotate "${name}"`,
        effect: 'A new key with the same rights is made. Choose how long the old one still works.',
        confirm: 'Rotate the key',
        successMessage: undefined,
      };
    case 'toggle':
      return is_active
        ? {
            title: `Switch "${name}" off`,
            effect: 'Requests with it are refused (401 disabled_api_key) until it is switched on again.',
            confirm: 'Switch it off',
            successMessage: 'The key is off.',
          }
        : {
            title: `Switch "${name}" on`,
            effect: 'Requests with it are served again.',
            confirm: 'Switch it on',
            successMessage: 'The key is on.',
          };
    case 'delete':
      return {
        title: `Delete "${name}"`,
        effect:
          'Requests with it are refused for good. This cannot be undone; rotate it to replace it without a gap.',
        confirm: 'Delete the key',
        successMessage: 'The key is deleted.',
      };
  }
}
