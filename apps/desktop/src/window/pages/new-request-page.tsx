import {
  Button,
  Card,
  Checkbox,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { RecentDecision } from '../../agent/control/control-messages.ts';
import { threatLabel } from '../../bridge/threat-words.ts';
import { invoke } from '../bridge.ts';
import { ErrorAlert } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';

const MINUTES = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '480', label: '8 hours' },
  { value: '1440', label: '1 day' },
];

/** An exception, or with `kind` "tool" an AI tool that is not allowed here. */
export function NewRequestPage(props: {
  readonly decision: RecentDecision | undefined;
  readonly kind: string | null;
}) {
  const { decision } = props;
  const isTool = props.kind === 'tool';
  const threat = decision?.threat_type ?? null;
  const [host, setHost] = useState(decision?.host ?? '');
  const [isNarrow, setNarrow] = useState(false);
  const [minutes, setMinutes] = useState('60');
  const [why, setWhy] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    const justification = why.trim() === '' ? {} : { justification: why.trim() };
    try {
      if (isTool) await invoke('request-tool', { requested_host: host.trim(), ...justification });
      else {
        await invoke('request-exception', {
          destination_host: host.trim(),
          requested_minutes: Number(minutes),
          ...(isNarrow && threat !== null && { threat }),
          ...justification,
        });
      }
      location.hash = '#/requests';
    } catch (error) {
      setError((error as Error).message);
      setSending(false);
    }
  }

  return (
    <Page
      title={isTool ? 'Ask for an AI tool' : 'Request exception'}
      about="An administrator decides. You are told at once, here and by a notification."
    >
      <Card component="form" onSubmit={(event) => void send(event)}>
        <Stack gap="md">
          <TextInput
            label={isTool ? 'Address of the tool' : 'For which AI tool'}
            description="Its host, such as chatgpt.com"
            required
            maxLength={255}
            value={host}
            onChange={({ currentTarget }) => setHost(currentTarget.value)}
          />
          {!isTool && (
            <Stack gap={4}>
              <Text size="sm" fw={500} id="how-long">
                For how long
              </Text>
              <SegmentedControl
                aria-labelledby="how-long"
                value={minutes}
                onChange={setMinutes}
                data={MINUTES}
                style={{ alignSelf: 'flex-start' }}
              />
              <Text size="xs" c="dimmed">
                It counts from the moment it is approved and ends by itself.
              </Text>
            </Stack>
          )}
          {!isTool && threat !== null && (
            <Checkbox
              label={`Only for this kind: ${threatLabel(threat).toLowerCase()}`}
              description="Whatever else is found there stays stopped."
              checked={isNarrow}
              onChange={({ currentTarget }) => setNarrow(currentTarget.checked)}
            />
          )}
          <Textarea
            label="Why you need it"
            description="Read by your administrator. Do not paste what was stopped."
            autosize
            minRows={3}
            maxLength={2000}
            value={why}
            onChange={({ currentTarget }) => setWhy(currentTarget.value)}
          />
          {error !== null && <ErrorAlert message={error} />}
          <Group>
            <Button type="submit" loading={isSending}>
              Send request
            </Button>
            <Button variant="default" component="a" href="#/requests">
              Cancel
            </Button>
          </Group>
        </Stack>
      </Card>
    </Page>
  );
}
