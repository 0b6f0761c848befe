import type { AuditPageResponse } from '@csg/shared/contract';
import { Button, Card, Code, Grid, Group, SegmentedControl, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Page, Section } from '../../components/page.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { timeText } from '../../data/format.ts';
import { useNames } from '../../data/names.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { AuditTargetForm } from './audit-target-form.tsx';
import { VerifyChain } from './verify-chain.tsx';

type Row = AuditPageResponse['rows'][number];

/** The tamper-evident record of decisions and administrative actions. */
export function Audit() {
  const session = useSession();
  const isAdmin = isAtLeast(session, 'admin');
  const canExport = isAdmin || session.organization.role === 'auditor';
  return (
    <Page
      title="Audit log"
      about="Every decision and every administrative action, in order and tamper-evident."
      actions={
        canExport ? (
          <Button
            component="a"
            href="/dashboard/audit-log/export"
            download
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            Export
          </Button>
        ) : null
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: isAdmin ? 7 : 12 }}>
          <VerifyChain />
        </Grid.Col>
        {isAdmin && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <AuditTargetForm />
          </Grid.Col>
        )}
        <Grid.Col span={12}>
          <Card p={{ base: 'sm', sm: 'md' }}>
            <Section title="Entries">
              <Entries />
            </Section>
          </Card>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Entries() {
  const [only, setOnly] = useState('changes');
  const nameOf = useNames();
  const read = useInfiniteQuery<AuditPageResponse, ApiError>({
    queryKey: ['/audit-log', only],
    queryFn: ({ pageParam, signal }) =>
      callApi<AuditPageResponse>('GET', '/audit-log', {
        query: { only, before: pageParam as string },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === null ? null : String(next)),
  });
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Filter entries"
        value={only}
        onChange={setOnly}
        style={{ alignSelf: 'flex-start' }}
        data={[
          { value: 'changes', label: 'Admin activity' },
          { value: 'decisions', label: 'Decisions' },
          { value: '', label: 'All' },
        ]}
      />
      <DataTable<Row>
        label="Entries"
        rows={read.data?.pages.flatMap(({ rows }) => rows)}
        rowKey={({ seq }) => String(seq)}
        error={read.error}
        retry={() => read.refetch()}
        empty={
          <Text size="sm" c="dimmed">
            No entries yet.
          </Text>
        }
        columns={[
          { title: 'No.', align: 'right', cell: ({ seq }) => seq },
          {
            title: 'Entry',
            isName: true,
            cell: ({ kind, data }) => (
              <>
                <Text size="sm" fw={500}>
                  {kindLabel(kind)}
                </Text>
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {dataText(data, nameOf)}
                </Text>
              </>
            ),
          },
          { title: 'Actor', cell: ({ actor }) => nameOf(actor) },
          {
            title: 'Target',
            cell: ({ subject }) => {
              const name = nameOf(subject);
              return name === subject ? <Code fz="xs">{subject}</Code> : name;
            },
          },
          { title: 'Time', cell: ({ at }) => <TimeAgo at={at} /> },
        ]}
      />
      {read.hasNextPage && (
        <Group justify="center">
          <Button variant="default" onClick={() => read.fetchNextPage()} loading={read.isFetchingNextPage}>
            Show older entries
          </Button>
        </Group>
      )}
    </>
  );
}

/** The kind of an entry shows whether content was blocked; redactions are recorded as allowed, with their decision. */
const KIND_LABELS: Readonly<Record<string, string>> = {
  policy_allow: 'Decision: allowed or redacted',
  policy_block: 'Decision: blocked',
};

function kindLabel(kind: string): string {
  const label = KIND_LABELS[kind];
  if (label !== undefined) return label;
  const text = kind.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The data of an entry; empty values are omitted. */
function dataText(data: Row['data'], nameOf: (id: string) => string): string {
  return Object.entries(data)
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(
      ([name, value]) =>
        `${name.replace(/_(?:id|ms)$/, '').replaceAll('_', ' ')}: ${valueText(name, value, nameOf)}`,
    )
    .join(', ');
}

function valueText(name: string, value: unknown, nameOf: (id: string) => string): string {
  if (name.endsWith('_at_ms')) return timeText(new Date(Number(value)).toISOString());
  // The field name already states the kind of object.
  if (typeof value === 'string') return nameOf(value).replace(/^(?:API key|device|project|policy) /, '');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
