import type { AllowedTextRecord } from '@csg/shared/contract';
import { Anchor, Card } from '@mantine/core';
import { Link } from 'react-router';
import { ThreatText } from '../../components/badges.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';

const ROLES: Readonly<Record<AllowedTextRecord['role'], string>> = {
  user: 'User',
  untrusted: 'Untrusted content',
  developer: 'Developer',
  model: 'Model',
};

/** Texts that an approver allowed after a report of a false positive. */
export function AllowedTexts() {
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
