import type { FalsePositives } from '@csg/shared/contract';
import { Anchor, Button, Card, Code, Stack, Text } from '@mantine/core';
import { IconThumbUp } from '@tabler/icons-react';
import { Link } from 'react-router';
import { DecisionBadge, ThreatText } from '../../components/badges.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { countText } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

/** Reported false positives, by rule and by event. */
export function FalsePositiveList() {
  const read = useApiQuery<FalsePositives>('/false-alarms');
  const undo = useApiMutation((id: string) => callApi('DELETE', `/events/${id}/mark`), {
    refresh: ['/false-alarms', '/events'],
    successMessage: 'Report removed.',
  });
  const empty = (
    <Empty icon={<IconThumbUp size={22} />} title="No false positives reported">
      Open an event that was blocked by mistake and select "Report false positive". It appears here with its
      rule, so that you see which rules to relax.
    </Empty>
  );
  if (read.data?.marks.length === 0) return <Card>{empty}</Card>;
  return (
    <Stack gap="lg">
      <Card>
        <Section
          title="Rules with false positives"
          about="To relax a rule, add a policy that allows or monitors its threat type, or change the preset of the project."
        >
          <DataTable
            label="Rules with false positives"
            rows={read.data?.rules}
            rowKey={({ rule }) => rule}
            error={read.error}
            retry={() => read.refetch()}
            empty={<Text size="sm">No rules matched.</Text>}
            columns={[
              { title: 'Rule', isName: true, cell: ({ rule }) => <Code>{rule}</Code> },
              { title: 'Threat', cell: ({ type }) => <ThreatText type={type} /> },
              { title: 'Reports', align: 'right', cell: ({ count }) => countText(count) },
              {
                title: 'Actions',
                hideTitle: true,
                align: 'right',
                cell: ({ type }) => (
                  <Anchor component={Link} to={`/policies?threat=${type}`} size="sm">
                    View policies
                  </Anchor>
                ),
              },
            ]}
          />
        </Section>
      </Card>
      <Card>
        <Section title="Reported events">
          <DataTable
            label="Reported events"
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
              { title: 'Reason', cell: ({ mark }) => mark.note ?? '–' },
              { title: 'Rules', wideOnly: true, cell: ({ rules }) => rules.join(', ') || '–' },
              {
                title: 'Reported',
                cell: ({ mark }) => (
                  <>
                    <TimeAgo at={mark.marked_at} /> by {mark.marked_by_name ?? 'a former member'}
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
                    Undo
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
