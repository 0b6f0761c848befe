import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ShownOnce } from './copy-text.tsx';

/** A new secret, in a dialog that only its button closes. */
export function ShownOnceModal(props: {
  readonly title: string;
  readonly value: string;
  readonly label: string;
  readonly about?: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const { title, value, label, about = 'Shown only once.', onClose, children } = props;
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false}>
      <Stack>
        <ShownOnce value={value} label={label} about={about} />
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
