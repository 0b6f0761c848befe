import type { DashboardProject, PlaygroundCall, PlaygroundCallResponse } from '@csg/shared/contract';
import { Alert, Anchor, Button, Card, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { DecisionBadge } from '../../components/badges.tsx';
import { Section } from '../../components/page.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import type { Message } from './conversation.tsx';

/** Sends the messages to a model, as an application of the project would. */
export function ModelCall(props: {
  readonly project: DashboardProject;
  readonly messages: readonly Message[];
}) {
  const { project, messages } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const [model, setModel] = useState('');
  const provider =
    chosen !== null && project.providers.includes(chosen) ? chosen : (project.providers[0] ?? '');
  const call = useApiMutation(
    (body: PlaygroundCall) => callApi<PlaygroundCallResponse>('POST', '/playground/model-call', { body }),
    { quiet: true, refresh: ['/events', '/usage'] },
  );
  return (
    <Card>
      <Section
        title="Model call"
        about="Sent through the gateway with the credential that is stored on the project; recorded and counted like any other request."
      >
        <Stack gap="sm">
          <Group align="flex-end">
            <Select
              label="Provider"
              style={{ flex: '1 1 8rem' }}
              allowDeselect={false}
              value={provider}
              data={project.providers}
              onChange={setChosen}
            />
            <TextInput
              label="Model"
              style={{ flex: '2 1 11rem' }}
              maxLength={200}
              placeholder={provider === 'anthropic' ? 'claude-sonnet-5' : 'gpt-5-mini'}
              value={model}
              onChange={(change) => setModel(change.currentTarget.value)}
            />
            <Button
              variant="default"
              disabled={messages.length === 0 || model.trim() === ''}
              loading={call.isPending}
              onClick={() =>
                call.mutate({
                  ...{ project_id: project.id, provider, model: model.trim() },
                  messages: [...messages],
                })
              }
            >
              Send
            </Button>
          </Group>
          {call.error && <ErrorAlert error={call.error} />}
          {call.data && <ModelResponse response={call.data} />}
        </Stack>
      </Section>
    </Card>
  );
}

function ModelResponse({ response }: { readonly response: PlaygroundCallResponse }) {
  return (
    <Alert color={response.status < 400 ? 'gray' : 'red'} role="status" title="Response of the model">
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {response.text === '' ? 'The model wrote no text.' : response.text}
      </Text>
      <Group gap="xs" mt="xs">
        <DecisionBadge decision={response.decision} />
        <Anchor component={Link} to={`/events/${response.event_id}`} size="sm" underline="always">
          Event of the prompt
        </Anchor>
        {response.response_event_id !== response.event_id && (
          <Anchor component={Link} to={`/events/${response.response_event_id}`} size="sm" underline="always">
            Event of the response
          </Anchor>
        )}
      </Group>
    </Alert>
  );
}
