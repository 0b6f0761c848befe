import { Alert, Button, Card, Stack, Text, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { AgentStatus } from '../../agent/control/control-messages.ts';
import { invoke } from '../bridge.ts';
import { ErrorAlert } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';

/** By hand, or filled in from a link: nothing happens before the person agrees. */
export function EnrollPage(props: { readonly query: URLSearchParams; readonly status: AgentStatus }) {
  const { query, status } = props;
  const [server, setServer] = useState(query.get('server') ?? '');
  const [token, setToken] = useState(query.get('token') ?? '');
  const [name, setName] = useState('');
  const [isWorking, setWorking] = useState(false);
  const [error, setError] = useState(
    query.get('fault') === null ? null : 'This link is not whole: ask your administrator for another one.',
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
        <Alert role="note" icon={<IconInfoCircle aria-hidden />} title="It is enrolled already">
          This computer belongs to {status.account_name}. To move it, <a href="#/remove">remove the agent</a>{' '}
          first, then open the link again.
        </Alert>
      </Page>
    );
  }
  return (
    <Page
      title="Enroll this computer"
      about="Your organization then checks what goes to AI tools, and nothing else. You can see what that means before and after."
    >
      <Card component="form" onSubmit={(event) => void enroll(event)}>
        <Stack gap="md">
          {isFromLink && host !== null && (
            <Alert
              icon={<IconInfoCircle aria-hidden />}
              title={`A link asks to enroll this computer with ${host}`}
            >
              Only go on if you know this address and expected the link: whoever runs it reads what you send
              to AI tools.
            </Alert>
          )}
          <TextInput
            label="Address of the service"
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
            label="Name of this computer"
            description="Left empty: the name it has in the network"
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
            Without a token this app changes nothing on this computer.
          </Text>
        </Stack>
      </Card>
    </Page>
  );
}
