import { Button, Card, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { type ApiError, callApi } from '../data/api.ts';
import { useApiMutation } from '../data/hooks.ts';
import { toFields } from './form-errors.ts';
import { FormModal } from './form-modal.tsx';
import { Section } from './page.tsx';

/** A card that deletes something for good: its name has to be typed, and where asked for, the password. */
export function DeleteByName(props: {
  /** What is deleted, such as "project". */
  readonly what: string;
  readonly name: string;
  readonly about: ReactNode;
  /** What goes with it, said before it is done. */
  readonly effect: ReactNode;
  readonly path: string;
  readonly requiresPassword?: boolean;
  readonly refresh?: readonly string[];
  readonly onDone: () => void;
}) {
  const { what, name, requiresPassword = false } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const [error, setError] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: { typed: '', current_password: '' },
    validate: {
      typed: (typed) => (typed.trim() === name.trim() ? null : 'Type it exactly as it is shown.'),
      current_password: (text) => (requiresPassword && text === '' ? 'Enter your password.' : null),
    },
  });
  const remove = useApiMutation(
    async (current_password: string) => {
      await callApi('DELETE', props.path, requiresPassword ? { body: { current_password } } : {});
      // Before what is deleted is read again: this card is gone by then.
      props.onDone();
    },
    { quiet: true, refresh: props.refresh ?? [] },
  );
  const cancel = () => {
    close();
    form.reset();
    setError(null);
  };
  return (
    <Card>
      <Section title={`Delete the ${what}`} about={props.about}>
        <Button variant="default" size="xs" onClick={open} w="fit-content">
          Delete the {what}
        </Button>
      </Section>
      <FormModal
        opened={isOpen}
        onClose={cancel}
        title={`Delete the ${what}`}
        submit={`Delete the ${what}`}
        color="red.9"
        pending={remove.isPending}
        error={error}
        onSubmit={form.onSubmit(({ current_password }) => {
          setError(null);
          remove.mutate(current_password, { onError: (error) => setError(toFields(error, form)) });
        })}
      >
        <Text size="sm" component="div">
          {props.effect} This cannot be undone.
        </Text>
        <TextInput
          label={
            <span style={{ overflowWrap: 'anywhere' }}>
              Type <b>{name}</b> to confirm
            </span>
          }
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('typed')}
        />
        {requiresPassword && (
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
        )}
      </FormModal>
    </Card>
  );
}
