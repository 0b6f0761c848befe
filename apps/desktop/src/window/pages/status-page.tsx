import { Anchor, Button, Card, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { AgentStatus, RecentDecision } from '../../agent/control/control-messages.ts';
import type { WindowState } from '../../bridge/window-bridge.ts';
import { invoke } from '../bridge.ts';
import { DecisionRows } from '../components/decision-rows.tsx';
import { ErrorAlert } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { StateIcon } from '../components/state-icon.tsx';
import { UpdateNote } from '../components/update-note.tsx';
import { formatTime } from '../format-time.ts';

const RECENT_COUNT = 3;

export function StatusPage(props: {
  readonly state: WindowState;
  readonly decisions: readonly RecentDecision[];
}) {
  const { status, view, update, opensAtLogin } = props.state;
  const recent = props.decisions.filter(({ done }) => done !== 'forwarded').slice(0, RECENT_COUNT);
  const [isTrusting, setTrusting] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const trust = (): Promise<void> => {
    setTrusting(true);
    return invoke('trust-certificate')
      .then(() => setError(null))
      .catch((error: Error) => setError(error.message))
      .finally(() => setTrusting(false));
  };
  const isProtected = view.kind === 'protected' || view.kind === 'paused';
  return (
    <Page title="Status">
      <Card padding="lg" role="status">
        <Group wrap="nowrap" align="flex-start">
          <StateIcon kind={view.kind} size={44} />
          <div>
            <Text fw={650} size="lg" lh={1.3}>
              {view.title}
            </Text>
            <Text size="sm">{view.sentence}</Text>
          </div>
        </Group>
        {error !== null && <ErrorAlert message={error} />}
        {!isProtected && (
          <Group mt="md">
            {status.needs_trust ? (
              <Button size="sm" loading={isTrusting} onClick={() => void trust()}>
                Trust certificate
              </Button>
            ) : (
              view.canRetry !== false && (
                <Button size="sm" onClick={() => void invoke('try-again')}>
                  Try again
                </Button>
              )
            )}
            <Button size="sm" variant="default" component="a" href="#/diagnosis">
              Open diagnostics
            </Button>
          </Group>
        )}
      </Card>
      <UpdateNote update={update} wanted={status.update} />
      <Stack gap="xs" component="section" aria-labelledby="recent">
        <Group justify="space-between">
          <Title order={2} id="recent">
            Recent activity
          </Title>
          {recent.length > 0 && (
            <Anchor href="#/decisions" size="sm">
              All decisions
            </Anchor>
          )}
        </Group>
        {recent.length > 0 ? (
          <DecisionRows decisions={recent} />
        ) : (
          <Text size="sm" c="dimmed">
            Nothing has been blocked or redacted since the agent started.
          </Text>
        )}
      </Stack>
      <Card component="section" aria-label="This computer">
        <Facts status={status} />
        <Switch
          mt="md"
          label="Start at login"
          checked={opensAtLogin}
          onChange={({ currentTarget }) => void invoke('open-at-login', { on: currentTarget.checked })}
        />
      </Card>
      <Text size="sm" c="dimmed">
        Leaving the organization? <Anchor href="#/remove">Remove the agent from this computer</Anchor>
      </Text>
    </Page>
  );
}

function Facts({ status }: { readonly status: AgentStatus }) {
  return (
    <dl className="facts">
      <dt>Organization</dt>
      <dd>{status.account_name}</dd>
      <dt>Computer</dt>
      <dd>{status.device_name}</dd>
      <dt>Service</dt>
      <dd>
        {status.server}
        {status.service_reachable === false && ' (not responding)'}
      </dd>
      <dt>Last report</dt>
      <dd>{status.last_reported_at === null ? 'not yet' : formatTime(status.last_reported_at)}</dd>
      <dt>Policy updated</dt>
      <dd>{status.config_issued_at === null ? 'not received yet' : formatTime(status.config_issued_at)}</dd>
      <dt>Unsent events</dt>
      <dd>{status.events_waiting}</dd>
      <dt>Version</dt>
      <dd>{status.agent_version}</dd>
    </dl>
  );
}
