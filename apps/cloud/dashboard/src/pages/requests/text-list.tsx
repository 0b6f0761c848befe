import type { AllowedTextRecord, FalsePositives } from '@csg/shared/contract';
import { Anchor, Card, Skeleton, Stack, Text } from '@mantine/core';
import { IconTextScan2 } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { ThreatText } from '../../components/badges.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { Empty, ErrorAlert } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { DecideModal, type Decision } from './decide-modal.tsx';
import { RequestCard } from './request-card.tsx';
import { REQUEST_PATHS } from './request-paths.ts';

const REFETCH_MS = 5_000;

type Report = FalsePositives['marks'][number];

/** Reported texts with a pending request, and texts that are allowed. */
export function TextList() {
  const [selected, setSelected] = useState<{
    report: Report;
    decision: Decision['decision'];
  } | null>(null);
  const session = useSession();
  const read = useApiQuery<FalsePositives>('/false-alarms', { refetchMs: REFETCH_MS });
  if (read.data === undefined) {
    return read.error ? (
      <ErrorAlert error={read.error} retry={() => read.refetch()} />
    ) : (
      <Skeleton height={120} radius="md" />
    );
  }
  const reports = read.data.marks.filter(({ mark }) => mark.allow_text);
  return (
    <Stack gap="sm">
      {reports.length === 0 && (
        <Empty icon={<IconTextScan2 size={22} />} title="No requests to allow a text">
          Open an event that was blocked by mistake, select “Allow exactly this text from now on” and report
          it. The request appears here until another admin decides it.
        </Empty>
      )}
      {reports.map((report) => {
        const { event, mark, rules } = report;
        const isOwn = mark.marked_by === session.user.id;
        return (
          <RequestCard
            key={mark.id}
            title={
              <Anchor component={Link} to={`/events/${event.id}`}>
                <ThreatText type={event.threat_type} />
              </Anchor>
            }
            facts={{
              status: mark.status,
              requester: mark.marked_by_name ?? mark.marked_by,
              justification: mark.note,
              created_at: mark.marked_at,
              decider: mark.decided_by_name,
              decided_at: mark.decided_at,
              decision_reason: mark.decision_reason,
            }}
            details={
              <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
                {event.route}: {rules.join(', ')}
              </Text>
            }
            onDecide={
              isAtLeast(session, 'admin', event.project_id) && !isOwn
                ? (decision) => setSelected({ report, decision })
                : undefined
            }
            note={isOwn ? 'Another admin must decide your request.' : undefined}
          />
        );
      })}
      <AllowedTexts />
      {selected && (
        <Decide report={selected.report} decision={selected.decision} onClose={() => setSelected(null)} />
      )}
    </Stack>
  );
}

function Decide(props: {
  readonly report: Report;
  readonly decision: Decision['decision'];
  readonly onClose: () => void;
}) {
  const { report, decision, onClose } = props;
  const decide = useApiMutation(
    (body: Decision) => callApi('POST', `/feedback/${report.mark.id}/decision`, { body }),
    {
      refresh: [...REQUEST_PATHS, '/allowed-texts', '/events'],
      quiet: true,
      successMessage: decision === 'approve' ? 'Text allowed.' : 'Request denied.',
    },
  );
  return (
    <DecideModal
      decision={decision}
      title={decision === 'approve' ? 'Allow this text' : 'Deny this request'}
      effect="Exactly this text is neither blocked nor withheld in its project from the next request on. Personal data and secrets in it are still replaced."
      pending={decide.isPending}
      error={decide.error}
      onDecide={(body) => decide.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

const ROLES: Readonly<Record<AllowedTextRecord['role'], string>> = {
  user: 'User',
  untrusted: 'Untrusted content',
  developer: 'Developer',
  model: 'Model',
};

function AllowedTexts() {
  const session = useSession();
  const read = useApiQuery<AllowedTextRecord[]>('/allowed-texts');
  const remove = useApiMutation((id: string) => callApi('DELETE', `/allowed-texts/${id}`), {
    refresh: ['/allowed-texts'],
    successMessage: 'The text is evaluated as before.',
  });
  if (read.data?.length === 0) return null;
  return (
    <Card>
      <Section title="Allowed texts" about="Only a keyed digest of each text is stored.">
        <DataTable
          label="Allowed texts"
          rows={read.data}
          rowKey={({ id }) => id}
          error={read.error}
          retry={() => read.refetch()}
          empty={null}
          columns={[
            {
              title: 'Text of',
              isName: true,
              cell: ({ role, event_id }) => (
                <Anchor component={Link} to={`/events/${event_id}`} size="sm">
                  {ROLES[role]}
                </Anchor>
              ),
            },
            {
              title: 'Ignored threats',
              cell: ({ threat_types }) => threat_types.map((type) => <ThreatText key={type} type={type} />),
            },
            { title: 'Project', cell: ({ project_name }) => project_name ?? '–' },
            {
              title: 'Approved',
              cell: ({ created_at, approved_by_name }) => (
                <>
                  <TimeAgo at={created_at} /> by {approved_by_name ?? 'a former member'}
                </>
              ),
            },
            {
              title: 'Actions',
              hideTitle: true,
              align: 'right',
              cell: ({ id, project_id }) =>
                isAtLeast(session, 'admin', project_id) && (
                  <ConfirmButton
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    label="Remove"
                    title="Remove allowed text"
                    effect="From the next request on, the text is evaluated like any other."
                    confirm="Remove"
                    action={() => remove.mutateAsync(id)}
                  />
                ),
            },
          ]}
        />
      </Section>
    </Card>
  );
}
