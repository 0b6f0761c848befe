import type { AuditPageResponse } from '@csg/shared/contract';
import { Button, Card, Code, Grid, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Page, Section } from '../../components/page.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { countText } from '../../data/format.ts';
import { useNames } from '../../data/names.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { AuditFilters, readAuditFilter } from './audit-filters.tsx';
import { entryFacts, kindLabel } from './entry-words.ts';
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
          <>
            {isAdmin && (
              <Button component={Link} to="/endpoints?kind=audit" variant="default">
                External checkpoints
              </Button>
            )}
            <Button
              component="a"
              href="/dashboard/audit-log/export"
              download
              variant="default"
              leftSection={<IconDownload size={16} />}
            >
              Export
            </Button>
          </>
        ) : null
      }
    >
      <Grid>
        <Grid.Col span={12}>
          <VerifyChain />
        </Grid.Col>
        <Grid.Col span={12}>
          <Card p={{ base: 'sm', sm: 'md' }}>
            <Section title="Entries">
              <Entries seesAddresses={canExport} />
            </Section>
          </Card>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Entries({ seesAddresses }: { readonly seesAddresses: boolean }) {
  const [params, setParams] = useSearchParams();
  const filter = readAuditFilter(params);
  const nameOf = useNames();
  const read = useInfiniteQuery<AuditPageResponse, ApiError>({
    queryKey: ['/audit-log', filter],
    queryFn: ({ pageParam, signal }) =>
      callApi<AuditPageResponse>('GET', '/audit-log', {
        query: { ...filter, before: pageParam as string },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === null ? null : String(next)),
  });
  const rows = read.data?.pages.flatMap((page) => page.rows);
  // A page of decisions may have no match, and others follow.
  const isSearching = rows?.length === 0 && read.hasNextPage;
  const { fetchNextPage, isFetching } = read;
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);
  return (
    <>
      <AuditFilters
        params={params}
        kinds={[...new Set(rows?.map(({ kind }) => kind))]}
        seesAddresses={seesAddresses}
        onChange={(next) => setParams(next, { replace: true })}
      />
      <DataTable<Row>
        label="Entries"
        rows={isSearching ? undefined : rows}
        rowKey={({ seq }) => String(seq)}
        error={read.error}
        retry={() => read.refetch()}
        empty={
          <Text size="sm" c="dimmed">
            {Object.keys(filter).some((name) => name !== 'only')
              ? 'No entries match these filters.'
              : 'No entries yet.'}
          </Text>
        }
        columns={columnsOf(nameOf, seesAddresses)}
      />
      {read.hasNextPage && !isSearching && (
        <Group justify="center">
          <Button variant="default" onClick={() => fetchNextPage()} loading={read.isFetchingNextPage}>
            Show older entries
          </Button>
        </Group>
      )}
    </>
  );
}

/** A line for each change; other facts in one line. */
function linesOf(facts: readonly string[]): readonly string[] {
  return facts.length === 0 || facts.some((fact) => fact.includes('→')) ? facts : [facts.join(' · ')];
}

function columnsOf(nameOf: (id: string) => string, seesAddresses: boolean): readonly Column<Row>[] {
  return [
    {
      title: 'Entry',
      isName: true,
      cell: ({ kind, data }) => (
        <>
          <Text size="sm" fw={500}>
            {kindLabel(kind)}
          </Text>
          {linesOf(entryFacts(data, nameOf)).map((fact) => (
            <Text key={fact} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {fact}
            </Text>
          ))}
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
    ...(seesAddresses ? [{ title: 'Address', cell: ({ address }: Row) => address ?? '–' }] : []),
    { title: 'Time', cell: ({ at }) => <TimeAgo at={at} /> },
    { title: 'No.', align: 'right', wideOnly: true, cell: ({ seq }) => countText(seq) },
  ];
}
