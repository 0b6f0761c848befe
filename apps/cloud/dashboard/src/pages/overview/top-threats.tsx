import type { Overview } from '@csg/shared/contract';
import { Anchor, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Section } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { countText } from '../../data/format.ts';
import { threatLabel } from '../../data/labels.ts';

const SHOWN = 6;

/** The most frequent threats, by decision. */
export function TopThreats(props: { readonly data: Overview | undefined; readonly spanLabel: string }) {
  const { data, spanLabel } = props;
  const maxTotal = data?.threats[0]?.total ?? 1;
  return (
    <Section title={`Top threats, ${spanLabel}`}>
      {data === undefined ? (
        <Skeleton height={180} />
      ) : data.threats.length === 0 ? (
        <Empty icon={<IconShieldCheck size={22} />} title="No threats found">
          Threats found in this period appear here, most frequent first.
        </Empty>
      ) : (
        <Stack gap="sm">
          {data.threats.slice(0, SHOWN).map(({ type, total, allow, redact, block }) => (
            <div key={type}>
              <Group justify="space-between" gap="xs" wrap="nowrap">
                <Anchor component={Link} to={`/events?threat_type=${type}`} size="sm">
                  {threatLabel(type)}
                </Anchor>
                <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {countText(total)}
                </Text>
              </Group>
              <Progress.Root size={8} mt={4} aria-hidden>
                <Progress.Section value={(block / maxTotal) * 100} color="red" />
                <Progress.Section value={(redact / maxTotal) * 100} color="yellow" />
                <Progress.Section value={(allow / maxTotal) * 100} color="teal" />
              </Progress.Root>
              <Text size="xs" c="dimmed" mt={2}>
                {[
                  [block, 'blocked'],
                  [redact, 'redacted'],
                  [allow, 'allowed'],
                ]
                  .filter(([count]) => Number(count) > 0)
                  .map(([count, label]) => `${countText(Number(count))} ${label}`)
                  .join(' · ')}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Section>
  );
}
