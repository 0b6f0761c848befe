import { Card, Text, UnstyledButton } from '@mantine/core';
import { IconEyeOff, IconHandStop, IconPlayerTrackNext } from '@tabler/icons-react';
import type { RecentDecision } from '../../agent/control/control-messages.ts';
import { decisionTitle } from '../../bridge/decision-labels.ts';
import { threatLabel } from '../../bridge/threat-label.ts';
import { formatTime } from '../format-time.ts';
import { iconColor } from './state-icon.tsx';

const ICONS = {
  blocked: { icon: IconHandStop, color: 'red' },
  redacted: { icon: IconEyeOff, color: 'orange' },
  forwarded: { icon: IconPlayerTrackNext, color: 'gray' },
} as const;

export function DecisionRows(props: { readonly decisions: readonly RecentDecision[] }) {
  return (
    <Card padding={0}>
      <ul className="rows">
        {props.decisions.map((decision) => (
          <li key={decision.event_id}>
            <UnstyledButton
              component="a"
              className="row"
              href={`#/decisions/${encodeURIComponent(decision.event_id)}`}
            >
              <DoneIcon done={decision.done} />
              <div>
                <Text size="sm" fw={550}>
                  {decisionTitle(decision)}
                </Text>
                <Text size="xs" c="dimmed">
                  {decision.decision === 'allow' ? 'No threats found' : threatLabel(decision.threat_type)}
                </Text>
              </div>
              <Text size="xs" c="dimmed" component="time" dateTime={decision.at}>
                {formatTime(decision.at)}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function DoneIcon(props: { readonly done: string }) {
  const { icon: Icon, color } = ICONS[props.done as keyof typeof ICONS] ?? ICONS.forwarded;
  return <Icon size={20} aria-hidden style={{ color: iconColor(color) }} />;
}
