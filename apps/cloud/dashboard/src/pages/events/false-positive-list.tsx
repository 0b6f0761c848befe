import type { FalseAlarms } from '@csg/shared/contract';
import { Anchor, Button, Card, Code, Stack, Text } from '@mantine/core';
import { IconThumbUp } from '@tabler/icons-react';
import { Link } from 'react-router';
import { DecisionBadge, ThreatText } from '../../components/badges.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { countOf } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

/** What people say was fine: which rules they disagree with, and each case. */
export function FalsePositiveList() {
  const read = useApiQuery<FalseAlarms>('/false-alarms');
  const undo = useApiMutation((id: string) => callApi('DELETE', `/events/${id}/mark`), {
    refresh: ['/false-alarms', '/events'],
    successMessage: 'The mark is taken back.',
  });
  const empty = (
    <Empty icon={<IconThumbUp size={22} />} title="No false alarm was marked">
      Open an event that should not have been stopped and say "This was fine". It is listed here with its
      rule, so that you can see which rules to relax.
    </Empty>
  );
  if (read.data?.marks.length === 0) return <Card>{empty}</Card>;
  return (
    <Stack gap="lg">
      <Card>
        <Section
          title="Rules that people disagree with"
          about="Relax one by a policy that allows or monitors its threat type, or by another preset of the project."
        >
          <DataTable
            label="Rules by false alarms"
            rows={read.data?.rules}
            rowKey={({ rule }) => rule}
            error={read.error}
            retry={() => read.refetch()}
            empty={<Text size="sm">No rule fired in these.</Text>}
            columns={[
              { title: 'Rule', isName: true, cell: ({ rule }) => <Code>{rule}</Code> },
              { title: 'Threat', cell: ({ type }) => <ThreatText type={type} /> },
              { title: 'Marked fine', align: 'right', cell: ({ count }) => countOf(count, 'time') },
              {
                title: 'Act on it',
                hideTitle: true,
                align: 'right',
                cell: ({ type }) => (
                  <Anchor component={Link} to={`/policies?threat=${type}`} size="sm">
                    Policies for it
                  </Anchor>
                ),
              },
            ]}
          />
        </Section>
      </Card>
      <Card>
        <Section title="Marked events">
          <DataTable
            label="Events that people say were fine"
            rows={read.data?.marks}
            rowKey={({ event }) => event.id}
            error={read.error}
            empty={empty}
            columns={[
              { title: 'Decision', cell: ({ event }) => <DecisionBadge decision={event.decision} /> },
              {
                title: 'Threat',
                isName: true,
                cell: ({ event }) => (
                  <Anchor component={Link} to={`/events/${event.id}`} size="sm">
                    <ThreatText type={event.threat_type} />
                  </Anchor>
                ),
              },
              { title: 'Why it was fine', cell: ({ mark }) => mark.note ?? '–' },
              { title: 'Rules', wideOnly: true, cell: ({ rules }) => rules.slice(0, 2).join(', ') || '–' },
              {
                title: 'Marked',
                cell: ({ mark }) => (
                  <>
                    <TimeAgo at={mark.marked_at} /> by {mark.marked_by_name ?? 'somebody who left'}
                  </>
                ),
              },
              {
                title: 'Undo',
                hideTitle: true,
                align: 'right',
                cell: ({ event }) => (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    onClick={() => undo.mutate(event.id)}
                  >
                    Take back
                  </Button>
                ),
              },
            ]}
          />
        </Section>
      </Card>
    </Stack>
  );
}
