import type { EventDetail, ReportEffect } from '@csg/shared/contract';
import { Alert, Button, Card, Checkbox, Code, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { countOf } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';

const TEXT_STATES: Readonly<Record<NonNullable<EventDetail['mark']>['status'], string>> = {
  recorded: 'The text is evaluated as before.',
  pending: 'An admin has not yet decided whether exactly this text is allowed from now on.',
  approved: 'Exactly this text is allowed from now on.',
  denied: 'An admin decided that the text is evaluated as before.',
};

/** Reports a false positive and, optionally, requests that exactly this text be allowed from then on. */
export function ReportFalsePositive(props: { readonly event: EventDetail }) {
  const { event } = props;
  const session = useSession();
  const [note, setNote] = useState('');
  const [allowText, setAllowText] = useState(false);
  const refresh = ['/events', '/false-alarms', '/approvals', '/allowed-texts'];
  const mark = useApiMutation(
    () => callApi('PUT', `/events/${event.id}/mark`, { body: { note, allow_text: allowText } }),
    {
      refresh,
      successMessage: allowText
        ? 'Reported. Another admin decides about the text.'
        : 'Reported as a false positive.',
    },
  );
  const undo = useApiMutation(() => callApi('DELETE', `/events/${event.id}/mark`), {
    refresh,
    successMessage: 'Report removed.',
  });
  if (event.decision === 'allow' && event.findings.length === 0) return null;
  if (event.mark !== null) {
    return (
      <Alert
        color="blue"
        title={`Reported as a false positive by ${event.mark.marked_by_name ?? 'a former member'}`}
      >
        <Text size="sm">{event.mark.note ?? 'No reason given.'}</Text>
        <Text size="sm">{TEXT_STATES[event.mark.status]}</Text>
        {isAtLeast(session, 'member', event.project_id) && (
          <Button
            mt="sm"
            size="xs"
            variant="default"
            onClick={() => undo.mutate(undefined)}
            loading={undo.isPending}
          >
            Undo
          </Button>
        )}
      </Alert>
    );
  }
  return (
    <Card>
      <Section
        title="Was this a mistake?"
        about="Reporting it does not change the decision; it adds the rule to False positives. To allow such texts temporarily, request an exception; to allow them permanently, change a policy."
      >
        {isAtLeast(session, 'member', event.project_id) && (
          <Textarea
            label="Reason"
            placeholder="Our own support template"
            maxLength={500}
            autosize
            value={note}
            onChange={(change) => setNote(change.currentTarget.value)}
          />
        )}
        {isAtLeast(session, 'member', event.project_id) && event.can_allow_text && (
          <Checkbox
            label="Allow exactly this text from now on"
            description="In this project, once another admin approves. Personal data and secrets are still replaced."
            checked={allowText}
            onChange={(change) => setAllowText(change.currentTarget.checked)}
          />
        )}
        <Effect eventId={event.id} />
        <Group>
          {isAtLeast(session, 'member', event.project_id) && (
            <Button variant="light" onClick={() => mark.mutate(undefined)} loading={mark.isPending}>
              Report false positive
            </Button>
          )}
          <Button component={Link} variant="default" to={`/requests/new?event=${event.id}`}>
            Request an exception
          </Button>
        </Group>
      </Section>
    </Card>
  );
}

/** The effect of following the report. Loaded on request, because it evaluates a week of events. */
function Effect({ eventId }: { readonly eventId: string }) {
  const [isWanted, setIsWanted] = useState(false);
  const read = useApiQuery<ReportEffect>(`/events/${eventId}/report-effect`, { enabled: isWanted });
  if (!isWanted) {
    return (
      <Button size="xs" variant="default" w="fit-content" onClick={() => setIsWanted(true)}>
        Preview the effect
      </Button>
    );
  }
  return (
    <Loaded read={read} height={70}>
      {({ same_text: sameText, rules, estimated }) => (
        <Alert color="gray" role="status" title="Last 7 days in this project">
          {sameText !== null && (
            <Text size="sm">
              If exactly this text were allowed: {countOf(sameText, 'decision')} would change.
            </Text>
          )}
          {rules.map(({ rule, events }) => (
            <Text key={rule} size="sm" style={{ overflowWrap: 'anywhere' }}>
              Without <Code>{rule}</Code>: {countOf(events, 'decision')} would change.
            </Text>
          ))}
          {estimated && (
            <Text size="xs" c="dimmed">
              Estimated from a sample.
            </Text>
          )}
        </Alert>
      )}
    </Loaded>
  );
}
