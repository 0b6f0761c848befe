import { Anchor, Button, Card, Code, Group } from '@mantine/core';
import type { RecentDecision } from '../../agent/control/control-messages.ts';
import { deciderLabel, decisionTitle, nextStep } from '../../bridge/decision-words.ts';
import { threatLabel } from '../../bridge/threat-words.ts';
import { formatTime } from '../format-time.ts';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';

/** Why, in words; undefined: the agent was started again since. */
export function DecisionPage({ decision }: { readonly decision: RecentDecision | undefined }) {
  if (decision === undefined) {
    return (
      <Page title="Decision">
        <Empty title="Not known any more">
          The agent keeps decisions only while it runs. Your administrator can look it up by its reference.
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
          <dt>Why</dt>
          <dd>{decision.why === null ? 'Nothing had to be changed.' : `Because ${decision.why}.`}</dd>
          <dt>Found</dt>
          <dd>{decision.decision === 'allow' ? 'nothing' : threatLabel(decision.threat_type)}</dd>
          <dt>Decided by</dt>
          <dd>{deciderLabel(decision)}</dd>
          <dt>Reference</dt>
          <dd>
            <Code>{decision.event_id}</Code>
          </dd>
          <dt>Kept</dt>
          <dd>This page is all there is: kind, time and place. What you wrote is not kept.</dd>
        </dl>
      </Card>
      <Group>
        {decision.done !== 'forwarded' && (
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
