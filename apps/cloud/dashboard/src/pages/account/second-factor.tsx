import {
  Badge,
  Button,
  Card,
  Center,
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
import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, useState } from 'react';
import { CopyText } from '../../components/copy-text.tsx';
import { Section } from '../../components/page.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { countOf } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

interface State {
  readonly enabled: boolean;
  readonly recovery_codes_left: number;
}
interface PendingSetup {
  readonly secret: string;
  readonly otpauth_url: string;
}
type Dialog = 'enable' | 'remove' | 'codes';

/** Two-factor authentication by an authenticator app. */
export function SecondFactor() {
  const read = useApiQuery<State>('/account/second-factor');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  return (
    <Card>
      <Section
        title="Two-factor authentication"
        about="A code from an authenticator app, in addition to the password."
      >
        <Loaded read={read} height={80}>
          {({ enabled, recovery_codes_left }) => (
            <Group justify="space-between">
              <Group gap="sm">
                <Badge color={enabled ? 'teal' : 'gray'}>{enabled ? 'enabled' : 'disabled'}</Badge>
                {enabled && (
                  <Text size="sm" c={recovery_codes_left < 3 ? 'orange' : 'dimmed'}>
                    {countOf(recovery_codes_left, 'recovery code')} left
                  </Text>
                )}
              </Group>
              {enabled ? (
                <Group gap="xs">
                  <Button size="xs" variant="default" onClick={() => setDialog('codes')}>
                    Generate recovery codes
                  </Button>
                  <Button size="xs" variant="default" onClick={() => setDialog('remove')}>
                    Disable
                  </Button>
                </Group>
              ) : (
                <Button size="xs" onClick={() => setDialog('enable')}>
                  Enable
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
        title="Enable two-factor authentication"
        submit="Continue"
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
      title="Enable two-factor authentication"
      submit="Enable"
      pending={confirm.isPending}
      error={confirm.error}
      onSubmit={() => confirm.mutate(undefined)}
      onClose={props.onClose}
    >
      <Text size="sm">Scan this QR code with an authenticator app, or enter the secret in the app.</Text>
      <QrCode text={pendingSetup.otpauth_url} label="QR code for the authenticator app" />
      <CopyText value={pendingSetup.secret} label="secret" />
      <OneTimeCode value={code} onChange={setCode} label="Authentication code" />
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
      title="Generate recovery codes"
      submit="Generate codes"
      pending={renew.isPending}
      error={renew.error}
      onSubmit={() => renew.mutate(undefined)}
      onClose={props.onClose}
    >
      <Text size="sm">Your existing recovery codes stop working.</Text>
      <OneTimeCode value={code} onChange={setCode} label="Authentication code" />
    </StepDialog>
  );
}

function Remove(props: { readonly onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const remove = useApiMutation(
    () => callApi('POST', '/account/second-factor/remove', { body: { current_password: password, code } }),
    { refresh: REFRESH, quiet: true, successMessage: 'Two-factor authentication disabled.' },
  );
  return (
    <StepDialog
      title="Disable two-factor authentication"
      submit="Disable"
      pending={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate(undefined, { onSuccess: props.onClose })}
      onClose={props.onClose}
    >
      <Text size="sm">You will then sign in with your password only.</Text>
      <Password value={password} onChange={setPassword} />
      <OneTimeCode value={code} onChange={setCode} label="Authentication code or recovery code" />
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
          Shown only once. Each code replaces the app for one sign-in. Store them with your passwords or on
          paper.
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
          <Button onClick={props.onClose}>I have saved them</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Dark on light in both themes, because some cameras cannot read inverted codes. */
function QrCode(props: { readonly text: string; readonly label: string }) {
  return (
    <Center>
      <QRCodeSVG
        value={props.text}
        size={184}
        marginSize={3}
        bgColor="#ffffff"
        fgColor="#000000"
        role="img"
        aria-label={props.label}
      />
    </Center>
  );
}
