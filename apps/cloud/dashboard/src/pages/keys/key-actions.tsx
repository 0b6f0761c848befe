import type { CreatedKey, KeyRecord, RevealedKey } from '@csg/shared/contract';
import { ActionIcon, Button, Group, Menu, Modal, Select, Stack, Text } from '@mantine/core';
import { IconDots, IconEye, IconPower, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { callApi } from '../../data/api.ts';
import { useAct } from '../../data/hooks.ts';
import { CopyText, ShownOnce } from '../../parts/copy-text.tsx';
import { FaultNote } from '../../parts/states.tsx';

type Act = 'reveal' | 'rotate' | 'toggle' | 'delete';
const GRACES = [
  { value: '0', label: 'ends at once' },
  { value: '60', label: 'works for 1 more hour' },
  { value: '1440', label: 'works for 1 more day' },
  { value: '10080', label: 'works for 7 more days' },
];

/** What can be done with one key; what each does is said before it is done. */
export function KeyActions(props: { readonly record: KeyRecord }) {
  const { record } = props;
  const [asked, setAsked] = useState<Act | null>(null);
  return (
    <>
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${record.name}`}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => setAsked('rotate')}>
            Rotate
          </Menu.Item>
          <Menu.Item leftSection={<IconPower size={15} />} onClick={() => setAsked('toggle')}>
            {record.is_active ? 'Switch off' : 'Switch on'}
          </Menu.Item>
          <Menu.Item leftSection={<IconEye size={15} />} onClick={() => setAsked('reveal')}>
            Reveal
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => setAsked('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked !== null && <AskedAct act={asked} record={record} onClose={() => setAsked(null)} />}
    </>
  );
}

function AskedAct(props: { readonly act: Act; readonly record: KeyRecord; readonly onClose: () => void }) {
  const { act, record, onClose } = props;
  const [grace, setGrace] = useState('1440');
  const words = wordsFor(act, record);
  const does = useAct(
    (): Promise<CreatedKey | RevealedKey | KeyRecord | undefined> => perform(act, record.id, Number(grace)),
    { refresh: ['/keys'], quiet: true, ...(words.done === undefined ? {} : { done: words.done }) },
  );
  const shown = does.data !== undefined && 'key' in does.data ? does.data.key : null;
  return (
    <Modal opened onClose={onClose} title={words.title} size={shown === null ? 'md' : 'lg'}>
      <Stack>
        {shown === null ? (
          <Text size="sm">{words.effect}</Text>
        ) : act === 'rotate' ? (
          <ShownOnce value={shown} label="new key" about="Copy it now to where the application reads it." />
        ) : (
          <CopyText value={shown} label="key" block />
        )}
        {act === 'rotate' && shown === null && (
          <Select
            label="The old key"
            data={GRACES}
            value={grace}
            allowDeselect={false}
            onChange={(value) => setGrace(value ?? grace)}
          />
        )}
        {does.error && <FaultNote fault={does.error} />}
        <Group justify="flex-end">
          {shown === null ? (
            <>
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button
                data-autofocus
                color={act === 'delete' ? 'red.9' : undefined}
                loading={does.isPending}
                onClick={() =>
                  does.mutate(undefined, {
                    onSuccess: (answer) => {
                      if (answer === undefined || !('key' in answer)) onClose();
                    },
                  })
                }
              >
                {words.confirm}
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
  act: Act,
  id: string,
  graceMinutes: number,
): Promise<CreatedKey | RevealedKey | KeyRecord | undefined> {
  switch (act) {
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

function wordsFor(act: Act, { name, is_active }: KeyRecord) {
  switch (act) {
    case 'reveal':
      return {
        title: `Reveal "${name}"`,
        effect: 'The whole key is shown here once more. That you looked is written to the audit log.',
        confirm: 'Reveal the key',
        done: undefined,
      };
    case 'rotate':
      return {
        title: `Rotate "${name}"`,
        effect: 'A new key with the same rights is made. Choose how long the old one still works.',
        confirm: 'Rotate the key',
        done: undefined,
      };
    case 'toggle':
      return is_active
        ? {
            title: `Switch "${name}" off`,
            effect: 'Requests with it are refused (401 disabled_api_key) until it is switched on again.',
            confirm: 'Switch it off',
            done: 'The key is off.',
          }
        : {
            title: `Switch "${name}" on`,
            effect: 'Requests with it are served again.',
            confirm: 'Switch it on',
            done: 'The key is on.',
          };
    case 'delete':
      return {
        title: `Delete "${name}"`,
        effect:
          'Requests with it are refused for good. This cannot be undone; rotate it to replace it without a gap.',
        confirm: 'Delete the key',
        done: 'The key is deleted.',
      };
  }
}
