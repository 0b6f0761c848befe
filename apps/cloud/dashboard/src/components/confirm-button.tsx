import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../data/api.ts';
import { ErrorAlert } from './states.tsx';

/** An action with a confirmation dialog that states its effect and stays open if the action fails. */
export function ConfirmButton(props: {
  readonly label: ReactNode;
  readonly title: string;
  readonly effect: ReactNode;
  readonly confirm: string;
  /** Label of the button that closes the dialog; default: Cancel. */
  readonly dismiss?: string;
  readonly action: () => Promise<unknown>;
  /** Color of the confirm button. */
  readonly color?: string;
  readonly variant?: ButtonProps['variant'];
  readonly size?: ButtonProps['size'];
  readonly disabled?: boolean;
  readonly pending?: boolean;
  readonly error?: ApiError | null;
  readonly ariaLabel?: string;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  // Lists have such a button in each row, so a dialog is only built when it is first opened.
  const [wasOpened, setWasOpened] = useState(false);
  const { color = 'red.9', variant = 'subtle', size = 'compact-sm' } = props;
  return (
    <>
      <Button
        color="gray"
        variant={variant}
        size={size}
        // Beside a long text it would be cut off.
        style={{ flexShrink: 0 }}
        disabled={props.disabled}
        aria-label={props.ariaLabel}
        onClick={() => {
          setWasOpened(true);
          open();
        }}
      >
        {props.label}
      </Button>
      {wasOpened && (
        <Modal opened={isOpen} onClose={close} title={props.title}>
          <Stack>
            <Text size="sm" component="div">
              {props.effect}
            </Text>
            {props.error && <ErrorAlert error={props.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {props.dismiss ?? 'Cancel'}
              </Button>
              <Button
                color={color}
                loading={props.pending}
                data-autofocus
                onClick={() => {
                  // The caller shows the error.
                  props.action().then(close, () => undefined);
                }}
              >
                {props.confirm}
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  );
}
