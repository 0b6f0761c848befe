import { Button, Card, Checkbox, Group, List, Stack, Text } from '@mantine/core';
import { IconCircleCheckFilled } from '@tabler/icons-react';
import { useState } from 'react';
import type { AgentStatus, UnenrollReport } from '../../agent/control/control-messages.ts';
import { invoke } from '../bridge.ts';
import { ErrorAlert } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { iconColor } from '../components/state-icon.tsx';

/** Removes the agent completely and reports what was checked. */
export function RemovePage({ status }: { readonly status: AgentStatus }) {
  const [isSure, setSure] = useState(false);
  const [isWorking, setWorking] = useState(false);
  const [report, setReport] = useState<UnenrollReport | null>(null);
  const [error, setError] = useState<string | null>(null);

  async function remove(): Promise<void> {
    setWorking(true);
    try {
      setReport(await invoke('unenroll'));
    } catch (error) {
      setError((error as Error).message);
    }
    setWorking(false);
  }

  if (report !== null) return <Report report={report} />;
  return (
    <Page title="Remove the agent" about="Removes the agent and all its traces from this computer.">
      <Card>
        <Stack gap="md">
          <List size="sm" spacing={2}>
            <List.Item>The agent stops, and the previous proxy setting is restored.</List.Item>
            <List.Item>Its certificate is removed from all trust stores.</List.Item>
            <List.Item>Its credential, policies and files are deleted.</List.Item>
            {status.events_waiting > 0 && (
              <List.Item>{status.events_waiting} unsent events are lost.</List.Item>
            )}
          </List>
          <Text size="sm">
            Your messages to AI tools are then no longer protected. Your administrator sees that this computer
            was removed.
          </Text>
          <Checkbox
            label="I want to remove the agent"
            checked={isSure}
            onChange={({ currentTarget }) => setSure(currentTarget.checked)}
          />
          {error !== null && <ErrorAlert message={error} />}
          <Group>
            <Button color="red.9" disabled={!isSure} loading={isWorking} onClick={() => void remove()}>
              Remove
            </Button>
            <Button variant="default" component="a" href="#/">
              Cancel
            </Button>
          </Group>
        </Stack>
      </Card>
    </Page>
  );
}

function Report({ report }: { readonly report: UnenrollReport }) {
  const isComplete = report.left.length === 0;
  return (
    <Page
      title={isComplete ? 'The agent was removed' : 'Not everything could be removed'}
      about={
        isComplete
          ? 'Each step was completed and verified.'
          : 'Follow the instructions below, then remove the agent again.'
      }
    >
      {report.left.map((sentence) => (
        <ErrorAlert key={sentence} message={sentence} />
      ))}
      <Card padding={0}>
        <ul className="rows" aria-label="Completed steps">
          {report.done.map((sentence) => (
            <li key={sentence} className="row">
              <IconCircleCheckFilled size={20} aria-hidden style={{ color: iconColor('teal') }} />
              <Text size="sm">{sentence}</Text>
            </li>
          ))}
        </ul>
      </Card>
      {isComplete && (
        <Text size="sm" c="dimmed">
          You can now uninstall the app like any other program.
        </Text>
      )}
    </Page>
  );
}
