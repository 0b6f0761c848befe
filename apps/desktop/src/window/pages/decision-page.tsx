import { Anchor, Button, Card, Code, Group } from '@mantine/core';
import type { RecentDecision } from '../../agent/control/control-messages.ts';
import { deciderLabel, decisionTitle, nextStep } from '../../bridge/decision-labels.ts';
import { threatLabel } from '../../bridge/threat-label.ts';
import { Empty } from '../components/empty.tsx';
import { Page } from '../components/page.tsx';
import { formatTime } from '../format-time.ts';

/** A decision with its reason; undefined if the agent was restarted since. */
export function DecisionPage({ decision }: { readonly decision: RecentDecision | undefined }) {
  if (decision === undefined) {
    return (
      <Page title="Decision">
        <Empty title="No longer available">
          The agent stores decisions only while it is running. Your administrator can find it by its
          reference.
        </Empty>
        <Anchor href="#/decisions">All decisions</Anchor>
      </Page>
    );
  }
  const step = nextStep(decision);
  return (
    <Page title={decisionTitle(decision)} about={formatTime(decision.at)}>
      <Card>
        <dl className="facts">
          <dt>Reason</dt>
          <dd>{decision.why === null ? 'Nothing was changed.' : `Because ${decision.why}.`}</dd>
          <dt>Finding</dt>
          <dd>{decision.decision === 'allow' ? 'none' : threatLabel(decision.threat_type)}</dd>
          <dt>Decided by</dt>
          <dd>{deciderLabel(decision)}</dd>
          <dt>Reference</dt>
          <dd>
            <Code>{decision.event_id}</Code>
          </dd>
          <dt>Stored</dt>
          <dd>Only the details on this page. Your texts are not stored.</dd>
        </dl>
      </Card>
      <Group>
        {step !== null && decision.done !== 'forwarded' && (
          <Button component="a" href={step.page}>
            {step.text}
          </Button>
        )}
        <Button variant="default" component="a" href="#/decisions">
          All decisions
        </Button>
      </Group>
    </Page>
  );
}
