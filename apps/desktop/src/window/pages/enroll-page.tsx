import { Alert, Button, Card, Stack, Text, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { AgentStatus } from '../../agent/control/control-messages.ts';
import { invoke } from '../bridge.ts';
import { ErrorAlert } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';

/** Enrollment by hand or from a link. Nothing happens before the user confirms. */
export function EnrollPage(props: { readonly query: URLSearchParams; readonly status: AgentStatus }) {
  const { query, status } = props;
  const [server, setServer] = useState(query.get('server') ?? '');
  const [token, setToken] = useState(query.get('token') ?? '');
  const [name, setName] = useState('');
  const [isWorking, setWorking] = useState(false);
  const [error, setError] = useState(
    query.get('error') === null ? null : 'This link is incomplete. Ask your administrator for a new one.',
  );
  const host = URL.canParse(server) ? new URL(server).host : null;
  const isFromLink = query.has('token');

  async function enroll(event: FormEvent): Promise<void> {
    event.preventDefault();
    setWorking(true);
    try {
      await invoke('enroll', { server: server.trim(), token: token.trim(), name: name.trim() });
      location.hash = '#/';
    } catch (error) {
      setError((error as Error).message);
    }
    setWorking(false);
  }

  if (status.enrolled) {
    return (
      <Page title="Enroll this computer">
        <Alert role="note" icon={<IconInfoCircle aria-hidden />} title="Already enrolled">
          This computer is enrolled in {status.account_name}. To enroll it elsewhere, first{' '}
          <a href="#/remove">remove the agent</a>, then open the link again.
        </Alert>
      </Page>
    );
  }
  return (
    <Page
      title="Enroll this computer"
      about="Your organization then checks your messages to AI tools and nothing else. You can always see what is monitored."
    >
      <Card component="form" onSubmit={(event) => void enroll(event)}>
        <Stack gap="md">
          {isFromLink && host !== null && (
            <Alert icon={<IconInfoCircle aria-hidden />} title={`Enroll this computer with ${host}?`}>
              Continue only if you know this address and expected the link. Its operator can read what you
              send to AI tools.
            </Alert>
          )}
          <TextInput
            label="Service URL"
            placeholder="https://gateway.example.com"
            required
            type="url"
            value={server}
            onChange={({ currentTarget }) => setServer(currentTarget.value)}
          />
          <TextInput
            label="Enrollment token"
            description="From your administrator."
            required
            autoComplete="off"
            value={token}
            onChange={({ currentTarget }) => setToken(currentTarget.value)}
          />
          <TextInput
            label="Computer name"
            description="If empty, the host name is used."
            maxLength={255}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          {error !== null && <ErrorAlert message={error} />}
          <div>
            <Button type="submit" loading={isWorking}>
              Enroll
            </Button>
          </div>
          <Text size="xs" c="dimmed">
            Without a token, this app changes nothing on this computer.
          </Text>
        </Stack>
      </Card>
    </Page>
  );
}
