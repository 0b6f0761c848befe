import { Button, Card, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { type ApiError, callApi } from '../data/api.ts';
import { useApiMutation } from '../data/hooks.ts';
import { toFields } from './form-errors.ts';
import { FormModal } from './form-modal.tsx';
import { Section } from './page.tsx';

/** A card that deletes something permanently, confirmed by its name and, if required, the password. */
export function DeleteByName(props: {
  /** Kind of object, such as "project". */
  readonly what: string;
  readonly name: string;
  readonly about: ReactNode;
  /** What else is deleted. */
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
      typed: (typed) => (typed.trim() === name.trim() ? null : 'The text does not match.'),
      current_password: (text) => (requiresPassword && text === '' ? 'Enter your password.' : null),
    },
  });
  const remove = useApiMutation(
    async (current_password: string) => {
      await callApi('DELETE', props.path, requiresPassword ? { body: { current_password } } : {});
      // Before the refresh, which removes this card.
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
      <Section title={`Delete ${what}`} about={props.about}>
        <Button variant="default" size="xs" onClick={open} w="fit-content">
          Delete {what}
        </Button>
      </Section>
      <FormModal
        opened={isOpen}
        onClose={cancel}
        title={`Delete ${what}`}
        submit={`Delete ${what}`}
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
