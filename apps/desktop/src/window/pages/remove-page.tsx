import { Button, Card, Checkbox, Group, List, Stack, Text } from '@mantine/core';
import { IconCircleCheckFilled } from '@tabler/icons-react';
import { useState } from 'react';
import type { AgentStatus, UnenrollReport } from '../../agent/control/control-messages.ts';
import { invoke } from '../bridge.ts';
import { ErrorAlert } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { iconColor } from '../parts/state-icon.tsx';

/** Removes every trace, and says what was checked. */
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
    <Page title="Remove from this computer" about="So that nothing of the agent is left behind.">
      <Card>
        <Stack gap="md">
          <List size="sm" spacing={2}>
            <List.Item>The agent stops, and the proxy setting becomes what it was before.</List.Item>
            <List.Item>Its certificate is taken out of every place that trusts it.</List.Item>
            <List.Item>The credential, the rules and all files of the agent are deleted.</List.Item>
            {status.events_waiting > 0 && (
              <List.Item>{status.events_waiting} decisions that wait to be reported are lost.</List.Item>
            )}
          </List>
          <Text size="sm">
            What you send to AI tools is not protected afterwards. Your administrator sees that this computer
            has left.
          </Text>
          <Checkbox
            label="I want to remove it"
            checked={isSure}
            onChange={({ currentTarget }) => setSure(currentTarget.checked)}
          />
          {error !== null && <ErrorAlert message={error} />}
          <Group>
            <Button color="red.9" disabled={!isSure} loading={isWorking} onClick={() => void remove()}>
              Remove
            </Button>
            <Button variant="default" component="a" href="#/">
              Keep it
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
      title={isComplete ? 'Nothing of the agent is left' : 'Not everything could be removed'}
      about={
        isComplete ? 'Each of these was done and looked at again.' : 'Do what is said below, then remove again.'
      }
    >
      {report.left.map((sentence) => (
        <ErrorAlert key={sentence} message={sentence} />
      ))}
      <Card padding={0}>
        <ul className="rows" aria-label="Done">
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
          You can now uninstall the app as any other program.
        </Text>
      )}
    </Page>
  );
}
