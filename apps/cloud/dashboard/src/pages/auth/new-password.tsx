import { PasswordInput, type PasswordInputProps } from '@mantine/core';

const MIN_LENGTH = 12;

/** Input for a new password. The service checks its strength. */
export function NewPassword(props: { readonly label?: string; readonly inputProps: PasswordInputProps }) {
  return (
    <PasswordInput
      label={props.label ?? 'Password'}
      description={`At least ${MIN_LENGTH} characters. A few unrelated words make a strong password.`}
      autoComplete="new-password"
      maxLength={1024}
      {...props.inputProps}
    />
  );
}

export function passwordProblem(password: string): string | null {
  return [...password].length < MIN_LENGTH ? `At least ${MIN_LENGTH} characters.` : null;
}
