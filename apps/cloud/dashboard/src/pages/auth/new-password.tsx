import { PasswordInput, type PasswordInputProps } from '@mantine/core';

const MIN_LENGTH = 12;

/** A password that is chosen; how good it is, the service says when it is sent. */
export function NewPassword(props: { readonly label?: string; readonly inputProps: PasswordInputProps }) {
  return (
    <PasswordInput
      label={props.label ?? 'Password'}
      description={`At least ${MIN_LENGTH} characters. A few words that only you would put together are best.`}
      autoComplete="new-password"
      maxLength={1024}
      {...props.inputProps}
    />
  );
}

export function passwordProblem(password: string): string | null {
  return [...password].length < MIN_LENGTH ? `At least ${MIN_LENGTH} characters.` : null;
}
