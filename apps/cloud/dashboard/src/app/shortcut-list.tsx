import { Group, Kbd, Modal, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { areShortcutsOn, GO_KEYS, storeShortcuts } from './use-shortcuts.ts';

/** The list of keyboard shortcuts, and the switch for single-key ones. */
export function ShortcutList(props: { readonly onClose: () => void }) {
  const [isOn, setIsOn] = useState(areShortcutsOn);
  const row = (label: string, ...keys: readonly string[]) => (
    <Group key={label} justify="space-between" wrap="nowrap">
      <Text size="sm">{label}</Text>
      <Group gap={4} wrap="nowrap">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </Group>
    </Group>
  );
  return (
    <Modal opened onClose={props.onClose} title="Keyboard shortcuts">
      <Stack gap="xs">
        {row('Find a page, an event or documentation', 'Ctrl', 'K')}
        {row('Show this list', '?')}
        {Object.entries(GO_KEYS).map(([key, { label }]) => row(label, 'G', key.toUpperCase()))}
        <Switch
          mt="sm"
          label="Shortcuts of single keys"
          description="Ctrl K always works."
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            storeShortcuts(checked);
            setIsOn(checked);
          }}
        />
      </Stack>
    </Modal>
  );
}
