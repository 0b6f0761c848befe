import type { PlaygroundResponse } from '@csg/shared/contract';
import { Card, Group, Text } from '@mantine/core';
import { DecisionBadge } from '../../components/badges.tsx';
import { percentText } from '../../data/format.ts';
import { threatLabel } from '../../data/labels.ts';

const OUTCOMES: Readonly<Record<PlaygroundResponse['decision'], string>> = {
  allow: 'It would be forwarded unchanged.',
  redact: 'It would be forwarded with the marked parts replaced.',
  block: 'It would be blocked. Nothing would be forwarded.',
};

export function VerdictCard(props: { readonly result: PlaygroundResponse }) {
  const { decision, threat_type, confidence, threats } = props.result;
  return (
    <Card role="status">
      <Group gap="sm">
        <DecisionBadge decision={decision} size="lg" />
        <Text fw={600}>{threat_type === null ? 'No threats found' : threatLabel(threat_type)}</Text>
        {threat_type !== null && <Text c="dimmed">{percentText(confidence)} confidence</Text>}
      </Group>
      <Text size="sm" mt={6}>
        {OUTCOMES[decision]}
      </Text>
      {threats.map(({ type, details }) => (
        <Text key={type} size="sm" c="dimmed" mt={4}>
          {details}
        </Text>
      ))}
    </Card>
  );
}
