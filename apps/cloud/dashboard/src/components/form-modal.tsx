import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import type { ApiError } from '../data/api.ts';
import { ErrorAlert } from './states.tsx';

/** A form in a dialog: Enter submits, Escape closes, errors appear above the buttons. */
export function FormModal(props: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly submit: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly pending: boolean;
  readonly error?: ApiError | null;
  readonly size?: ModalProps['size'];
  readonly color?: string;
  readonly children: ReactNode;
}) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} size={props.size ?? 'md'}>
      <form onSubmit={props.onSubmit} noValidate>
        <Stack>
          {props.children}
          {props.error && <ErrorAlert error={props.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={props.pending} {...(props.color ? { color: props.color } : {})}>
              {props.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
