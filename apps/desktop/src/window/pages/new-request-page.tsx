import { isAttack } from '@csg/shared/contract';
import {
  Button,
  Card,
  Checkbox,
  Group,
  Input,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { RecentDecision } from '../../agent/control/control-messages.ts';
import { threatLabel } from '../../bridge/threat-label.ts';
import { invoke } from '../bridge.ts';
import { ErrorAlert } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';

const MINUTES = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '480', label: '8 hours' },
  { value: '1440', label: '1 day' },
];

/** Requests an exception or, with `kind` "tool", a blocked AI tool. */
export function NewRequestPage(props: {
  readonly decision: RecentDecision | undefined;
  readonly kind: string | null;
}) {
  const { decision } = props;
  const isTool = props.kind === 'tool';
  const decidedBy = decision?.threat_type ?? null;
  // Of attacks, the service knows from the event whether there were others that would block the text again.
  const threat = decidedBy === null || isAttack(decidedBy) ? null : decidedBy;
  const attacks =
    decidedBy === null
      ? 'attacks'
      : 'attacks of the type that was found, or of any type if there were several';
  const scope = threat === null ? attacks : threatLabel(threat).toLowerCase();
  const [host, setHost] = useState(decision?.host ?? '');
  const [isWide, setWide] = useState(false);
  const [minutes, setMinutes] = useState('60');
  const [why, setWhy] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    const common = {
      ...(why.trim() !== '' && { justification: why.trim() }),
      ...(decision !== undefined && { event_id: decision.event_id }),
    };
    try {
      if (isTool) await invoke('request-tool', { requested_host: host.trim(), ...common });
      else {
        await invoke('request-exception', {
          destination_host: host.trim(),
          requested_minutes: Number(minutes),
          ...(isWide ? { all_findings: true } : threat !== null && { threat }),
          ...common,
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
      title={isTool ? 'Request an AI tool' : 'Request an exception'}
      about="An administrator decides. You are notified of the decision."
    >
      <Card component="form" onSubmit={(event) => void send(event)}>
        <Stack gap="md">
          <TextInput
            label="Host of the AI tool"
            description="For example chatgpt.com"
            required
            maxLength={255}
            value={host}
            onChange={({ currentTarget }) => setHost(currentTarget.value)}
          />
          {!isTool && (
            <Stack gap={4}>
              <Input.Label labelElement="div" id="duration">
                Duration
              </Input.Label>
              <SegmentedControl
                aria-labelledby="duration"
                value={minutes}
                onChange={setMinutes}
                data={MINUTES}
                style={{ alignSelf: 'flex-start' }}
              />
              <Text size="xs" c="dimmed">
                Starts with the approval and expires automatically.
              </Text>
            </Stack>
          )}
          {!isTool && (
            <Stack gap={4}>
              <Input.Label labelElement="div">Findings</Input.Label>
              <Text size="sm">
                {isWide
                  ? 'Allows everything that is found in texts to this host.'
                  : `Allows only ${scope}. Other findings are still blocked.`}
              </Text>
              <Checkbox
                label="All findings, also personal data and secrets"
                checked={isWide}
                onChange={({ currentTarget }) => setWide(currentTarget.checked)}
              />
            </Stack>
          )}
          <Textarea
            label="Reason"
            description="Shown to your administrator. Do not paste the blocked text."
            autosize
            minRows={3}
            maxLength={2000}
            value={why}
            onChange={({ currentTarget }) => setWhy(currentTarget.value)}
          />
          {error !== null && <ErrorAlert message={error} />}
          <Group>
            <Button type="submit" loading={isSending}>
              Submit request
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
