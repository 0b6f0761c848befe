import {
  Badge,
  Button,
  Card,
  Code,
  Group,
  Modal,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { CopyText } from '../../components/copy-text.tsx';
import { Section } from '../../components/page.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { countOf } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { QrCode } from './qr-code.tsx';

interface State {
  readonly enabled: boolean;
  readonly recovery_codes_left: number;
}
interface PendingSetup {
  readonly secret: string;
  readonly otpauth_url: string;
}
type Dialog = 'enable' | 'remove' | 'codes';

/** An authenticator app beside the password. */
export function SecondFactor() {
  const read = useApiQuery<State>('/account/second-factor');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  return (
    <Card>
      <Section title="Second factor" about="A code of an authenticator app, asked for after the password.">
        <Loaded read={read} height={80}>
          {({ enabled, recovery_codes_left }) => (
            <Group justify="space-between">
              <Group gap="sm">
                <Badge color={enabled ? 'teal' : 'gray'}>{enabled ? 'on' : 'off'}</Badge>
                {enabled && (
                  <Text size="sm" c={recovery_codes_left < 3 ? 'orange' : 'dimmed'}>
                    {countOf(recovery_codes_left, 'recovery code')} left
                  </Text>
                )}
              </Group>
              {enabled ? (
                <Group gap="xs">
                  <Button size="xs" variant="default" onClick={() => setDialog('codes')}>
                    New recovery codes
                  </Button>
                  <Button size="xs" variant="default" onClick={() => setDialog('remove')}>
                    Switch it off
                  </Button>
                </Group>
              ) : (
                <Button size="xs" onClick={() => setDialog('enable')}>
                  Switch it on
                </Button>
              )}
            </Group>
          )}
        </Loaded>
      </Section>
      {dialog === 'enable' && <Enable onClose={() => setDialog(null)} />}
      {dialog === 'codes' && <NewCodes onClose={() => setDialog(null)} />}
      {dialog === 'remove' && <Remove onClose={() => setDialog(null)} />}
    </Card>
  );
}

const REFRESH = ['/account/second-factor', '/session'];

function Enable(props: { readonly onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useApiMutation(
    () => callApi<PendingSetup>('POST', '/account/second-factor', { body: { current_password: password } }),
    { quiet: true },
  );
  const confirm = useApiMutation(
    () => callApi<{ recovery_codes: string[] }>('POST', '/account/second-factor/confirm', { body: { code } }),
    { refresh: REFRESH, quiet: true },
  );
  if (confirm.data !== undefined)
    return <Codes codes={confirm.data.recovery_codes} onClose={props.onClose} />;
  const pendingSetup = begin.data;
  if (pendingSetup === undefined) {
    return (
      <StepDialog
        title="Switch the second factor on"
        submit="Go on"
        pending={begin.isPending}
        error={begin.error}
        onSubmit={() => begin.mutate(undefined)}
        onClose={props.onClose}
      >
        <Password value={password} onChange={setPassword} />
      </StepDialog>
    );
  }
  return (
    <StepDialog
      title="Switch the second factor on"
      submit="Switch it on"
      pending={confirm.isPending}
      error={confirm.error}
      onSubmit={() => confirm.mutate(undefined)}
      onClose={props.onClose}
    >
      <Text size="sm">Scan this with an authenticator app, or type the secret into it.</Text>
      <QrCode text={pendingSetup.otpauth_url} label="Code for the authenticator app" />
      <CopyText value={pendingSetup.secret} label="the secret" />
      <OneTimeCode value={code} onChange={setCode} label="The six digits that it shows" />
    </StepDialog>
  );
}

function NewCodes(props: { readonly onClose: () => void }) {
  const [code, setCode] = useState('');
  const renew = useApiMutation(
    () =>
      callApi<{ recovery_codes: string[] }>('POST', '/account/second-factor/recovery-codes', {
        body: { code },
      }),
    { refresh: REFRESH, quiet: true },
  );
  if (renew.data !== undefined) return <Codes codes={renew.data.recovery_codes} onClose={props.onClose} />;
  return (
    <StepDialog
      title="New recovery codes"
      submit="Make new codes"
      pending={renew.isPending}
      error={renew.error}
      onSubmit={() => renew.mutate(undefined)}
      onClose={props.onClose}
    >
      <Text size="sm">The old ones stop working.</Text>
      <OneTimeCode value={code} onChange={setCode} label="Code of your app" />
    </StepDialog>
  );
}

function Remove(props: { readonly onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const remove = useApiMutation(
    () => callApi('POST', '/account/second-factor/remove', { body: { current_password: password, code } }),
    { refresh: REFRESH, quiet: true, successMessage: 'The second factor is off.' },
  );
  return (
    <StepDialog
      title="Switch the second factor off"
      submit="Switch it off"
      pending={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate(undefined, { onSuccess: props.onClose })}
      onClose={props.onClose}
    >
      <Text size="sm">Your password alone is enough to sign in then.</Text>
      <Password value={password} onChange={setPassword} />
      <OneTimeCode value={code} onChange={setCode} label="Code of your app, or a recovery code" />
    </StepDialog>
  );
}

function StepDialog(props: {
  readonly title: string;
  readonly submit: string;
  readonly pending: boolean;
  readonly error: ApiError | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}) {
  return (
    <Modal opened onClose={props.onClose} title={props.title}>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          props.onSubmit();
        }}
      >
        <Stack>
          {props.children}
          {props.error && <ErrorAlert error={props.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={props.pending}>
              {props.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Password(props: { readonly value: string; readonly onChange: (value: string) => void }) {
  return (
    <PasswordInput
      label="Your password"
      autoComplete="current-password"
      data-autofocus
      value={props.value}
      onChange={(change) => props.onChange(change.currentTarget.value)}
    />
  );
}

function OneTimeCode(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <TextInput
      label={props.label}
      autoComplete="one-time-code"
      maxLength={32}
      value={props.value}
      onChange={(change) => props.onChange(change.currentTarget.value)}
    />
  );
}

function Codes(props: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={props.onClose} title="Your recovery codes" closeOnClickOutside={false}>
      <Stack>
        <Text size="sm">
          Shown only now. Each is good for one sign-in without the app: keep them where you keep passwords, or
          on paper.
        </Text>
        <SimpleGrid cols={2} spacing="xs">
          {props.codes.map((code) => (
            <Code key={code} fz="sm" ta="center">
              {code}
            </Code>
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <Button variant="default" leftSection={<IconPrinter size={15} />} onClick={() => window.print()}>
            Print
          </Button>
          <Button onClick={props.onClose}>I have them</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
