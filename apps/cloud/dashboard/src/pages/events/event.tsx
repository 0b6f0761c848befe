import type { EventDetail } from '@csg/shared/contract';
import { Alert, Anchor, Button, Card, Code, Grid, Group, Stack, Table, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { DecisionBadge, ThreatText } from '../../components/badges.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { durationText, percentText, timeText } from '../../data/format.ts';
import { useApiQuery } from '../../data/hooks.ts';
import { DECIDED_BY_LABELS, threatLabel } from '../../data/labels.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { DataFlows } from './data-flows.tsx';
import { ReportFalsePositive } from './report-false-positive.tsx';

/** The page that a block message links to: the decision and the available actions. */
export function EventPage() {
  const { eventId = '' } = useParams();
  const read = useApiQuery<EventDetail>(`/events/${encodeURIComponent(eventId)}`);
  return (
    <Page
      title={read.data === undefined ? 'Event' : eventTitle(read.data)}
      about="Decision details. The text itself is not stored."
      actions={
        <>
          {read.data !== undefined && (
            <Button component={Link} to={playgroundOf(read.data)} variant="default" size="xs">
              Open in playground
            </Button>
          )}
          <Button
            component={Link}
            to="/events"
            variant="default"
            size="xs"
            leftSection={<IconArrowLeft size={14} />}
          >
            All events
          </Button>
        </>
      }
    >
      <Loaded read={read} height={420}>
        {(event) => <EventDetails event={event} />}
      </Loaded>
    </Page>
  );
}

/** Returns the playground with this event's settings, without its text, which is not stored. */
function playgroundOf({ id, project_id: project, direction, findings }: EventDetail): string {
  const role = direction === 'output' ? 'assistant' : (findings[0]?.role ?? 'user');
  return `/playground?${new URLSearchParams({ event: id, role, ...(project === null ? {} : { project }) })}`;
}

function eventTitle({ decision, threat_type: threat }: EventDetail): string {
  const verbs = { allow: 'Allowed', redact: 'Redacted', block: 'Blocked' } as const;
  return threat === null
    ? `${verbs[decision]} event`
    : `${verbs[decision]}: ${threatLabel(threat).toLowerCase()}`;
}

function EventDetails(props: { readonly event: EventDetail }) {
  const { event } = props;
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          <Card>
            <Group gap="sm" mb="xs">
              <DecisionBadge decision={event.decision} size="lg" />
              <Text fw={600} size="lg">
                {event.threat_type === null ? 'No threats found' : threatLabel(event.threat_type)}
              </Text>
              {event.threat_type !== null && (
                <Text c="dimmed">{percentText(event.confidence)} confidence</Text>
              )}
            </Group>
            <Text size="sm">{summaryOf(event)}</Text>
          </Card>
          <Card>
            <Section title="Matched rules">
              <DataTable
                label="Findings"
                rows={event.findings}
                rowKey={({ rule, path, start, type }) => `${rule} ${path} ${start} ${type}`}
                empty={
                  <Text size="sm" c="dimmed">
                    No rules matched.
                  </Text>
                }
                columns={[
                  {
                    title: 'Rule',
                    isName: true,
                    cell: ({ rule, type }) => <Rule rule={rule} type={type} projectId={event.project_id} />,
                  },
                  { title: 'Threat', cell: ({ type }) => <ThreatText type={type} /> },
                  {
                    title: 'Position',
                    cell: ({ path, role, start, end, withheld, report_only }) => (
                      <>
                        {start === end ? role : `${role}, characters ${start}–${end}`}
                        {withheld && ' (withheld)'}
                        {report_only && ' (only reported)'}
                        {path !== '' && (
                          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                            {path}
                          </Text>
                        )}
                      </>
                    ),
                  },
                  {
                    title: 'Confidence',
                    align: 'right',
                    cell: ({ confidence }) => percentText(confidence),
                  },
                ]}
              />
              {event.unscanned.length > 0 && (
                <Alert color="yellow" title="Not scanned" mt="sm">
                  {event.unscanned
                    .map(({ at, reason }) => `Part ${at}: ${reason.replaceAll('_', ' ')}`)
                    .join('. ')}
                  .
                </Alert>
              )}
            </Section>
          </Card>
          <WithheldTexts texts={event.withheld_texts} />
          <DataFlows findings={event.findings} />
          <ReportFalsePositive event={event} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Card>
          <Section title="Source">
            <Facts event={event} />
          </Section>
        </Card>
      </Grid.Col>
    </Grid>
  );
}

/** A rule with a link to change it for the project: flow control is a setting, all others can be disabled. */
function Rule(props: { readonly rule: string; readonly type: string; readonly projectId: string | null }) {
  const { rule, type, projectId } = props;
  const isAdmin = isAtLeast(useSession(), 'admin');
  const isFlow = rule.startsWith('flow_control.');
  const proposal = new URLSearchParams({
    ...{ name: `Disable ${rule}`.slice(0, 80), action: 'allow', threat: type, rule },
    ...(projectId === null ? {} : { project: projectId }),
  });
  return (
    <>
      <Code>{rule}</Code>
      {isAdmin && isFlow && projectId !== null && (
        <div>
          <Anchor component={Link} to={`/projects/${projectId}`} size="xs">
            Project settings
          </Anchor>
        </div>
      )}
      {isAdmin && !isFlow && !rule.startsWith('policy:') && (
        <div>
          <Anchor
            component={Link}
            to={`/policies/new?${proposal}`}
            size="xs"
            aria-label={`Disable rule ${rule}`}
          >
            Disable rule
          </Anchor>
        </div>
      )}
    </>
  );
}

function DecidedBy(props: { readonly decidedBy: EventDetail['decided_by'] }) {
  const { kind, id, name } = props.decidedBy;
  if (kind === 'policy' && id !== null) {
    return (
      <>
        Policy{' '}
        <Anchor component={Link} to={`/policies/${id}`} size="sm">
          {name}
        </Anchor>
      </>
    );
  }
  return `${DECIDED_BY_LABELS[kind]}: ${kind === 'setting' ? name.replaceAll('_', ' ') : name}`;
}

function Facts(props: { readonly event: EventDetail }) {
  const { event } = props;
  const rows: readonly (readonly [string, React.ReactNode])[] = [
    [
      'Time',
      <span key="when">
        {timeText(event.at)} (<TimeAgo at={event.at} />)
      </span>,
    ],
    ['Decided by', <DecidedBy key="decided-by" decidedBy={event.decided_by} />],
    ['Direction', event.direction === 'input' ? 'prompt' : 'response'],
    ['Route', event.route],
    ['Model', event.model ?? '–'],
    ['Project', event.project_name ?? event.project_id ?? '–'],
    ['API key', event.device_id === null ? (event.key_name ?? event.key_id ?? '–') : '–'],
    [
      'Device',
      event.device_id === null ? (
        '–'
      ) : (
        <Anchor key="device" component={Link} to={`/events?device_id=${event.device_id}`} size="sm">
          {event.device_name ?? event.device_id}
        </Anchor>
      ),
    ],
    ...(event.session === null
      ? []
      : [
          [
            'Session',
            <LabelLink key="session" event={event} name="session" value={event.session} />,
          ] as const,
        ]),
    ...(event.tags.length === 0
      ? []
      : [
          [
            'Tags',
            <Group key="tags" gap="xs">
              {event.tags.map((tag) => (
                <LabelLink key={tag} event={event} name="tag" value={tag} />
              ))}
            </Group>,
          ] as const,
        ]),
    ...(event.judged_by === null ? [] : [['Evaluated by', 'Device'] as const]),
    ['Scan time', durationText(event.latency_ms)],
    ['Event ID', <CopyText key="id" value={event.id} label="event ID" />],
    ['Request ID', event.request_id === null ? '–' : <Code key="request">{event.request_id}</Code>],
  ];
  return (
    <Table withRowBorders={false} verticalSpacing={5} aria-label="Source">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={92} fw={400} c="dimmed" pl={0} style={{ verticalAlign: 'top' }}>
              {name}
            </Table.Th>
            <Table.Td pr={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function summaryOf(event: EventDetail): string {
  const what = event.direction === 'input' ? 'prompt' : 'response';
  if (event.failure !== null) {
    return event.failure.fail_mode === 'open'
      ? `Scanning failed (${event.failure.reason}). The project fails open, so the ${what} was allowed unscanned.`
      : `Scanning failed (${event.failure.reason}). The project fails closed, so ${event.direction === 'input' ? 'nothing was forwarded' : 'the client received nothing of the response'}.`;
  }
  if (event.decision === 'block') {
    return event.direction === 'input'
      ? 'The prompt was blocked. Nothing was forwarded.'
      : 'The response was blocked. The model answered; the client received none of it.';
  }
  if (event.decision === 'redact')
    return `The ${what} was forwarded with the findings replaced by their type, such as [EMAIL].`;
  return event.threat_type === null
    ? `The ${what} was allowed. No threats were found.`
    : `The ${what} was allowed because this threat is only monitored or its confidence is low.`;
}

/** The texts with withheld passages, and the number of requests for each. */
function WithheldTexts(props: { readonly texts: EventDetail['withheld_texts'] }) {
  if (props.texts.length === 0) return null;
  return (
    <Card>
      <Section title="Withheld passages">
        <Text size="sm" mb="xs">
          The rest of each text was forwarded. To allow such a text, report a false positive and request to
          allow it; an approver decides.
        </Text>
        <DataTable
          label="Withheld passages"
          rows={props.texts}
          rowKey={({ path }) => path}
          empty={null}
          columns={[
            { title: 'Text', cell: ({ path }) => <Code style={{ overflowWrap: 'anywhere' }}>{path}</Code> },
            { title: 'Requests', align: 'right', cell: ({ requests }) => requests },
          ]}
        />
      </Section>
    </Card>
  );
}

/** Leads to the events of the same project with this label, in the order of the run. */
function LabelLink(props: {
  readonly event: EventDetail;
  readonly name: 'session' | 'tag';
  readonly value: string;
}) {
  const { event, name, value } = props;
  const query = new URLSearchParams({ [name]: value, order: 'asc' });
  if (event.project_id !== null) query.set('project_id', event.project_id);
  return (
    <Anchor component={Link} to={`/events?${query}`} size="sm">
      {value}
    </Anchor>
  );
}
