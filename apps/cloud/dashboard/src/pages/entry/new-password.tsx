import { PasswordInput, type PasswordInputProps } from '@mantine/core';

const LEAST = 12;

/** A password that is chosen; how good it is, the service says when it is sent. */
export function NewPassword(props: { readonly label?: string; readonly inputProps: PasswordInputProps }) {
  return (
    <PasswordInput
      label={props.label ?? 'Password'}
      description={`At least ${LEAST} characters. A few words that only you would put together are best.`}
      autoComplete="new-password"
      maxLength={1024}
      {...props.inputProps}
    />
  );
}

export function passwordFault(password: string): string | null {
  return [...password].length < LEAST ? `At least ${LEAST} characters.` : null;
}
