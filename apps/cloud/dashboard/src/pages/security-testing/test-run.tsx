import type { TestRun, TestRunSummary } from '@csg/shared/contract';
import { Badge, Button, Card, Grid, Group, Progress, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconShieldCheck } from '@tabler/icons-react';
import { Link, useParams, useSearchParams } from 'react-router';
import { DataTable } from '../../components/data-table.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Stat } from '../../components/stat.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { durationText, percentText, timeText } from '../../data/format.ts';
import { useApiQuery } from '../../data/hooks.ts';
import { compareRuns, failuresOf } from './compare-runs.ts';
import { presetLabel } from './preset-label.ts';

const OUTCOME_COLORS: Readonly<Record<string, string>> = {
  blocked: 'teal',
  redacted: 'teal',
  passed: 'teal',
  missed: 'red',
  false_alarm: 'orange',
  errored: 'gray',
};

export function TestRunPage() {
  const { runId = '' } = useParams();
  const read = useApiQuery<TestRun>(`/security-testing/runs/${runId}`);
  return (
    <Page
      title={read.data === undefined ? 'Test run' : presetLabel(read.data.target_preset)}
      about={
        read.data === undefined
          ? undefined
          : `Started by ${read.data.started_by}, ${timeText(read.data.started_at)}. Duration: ${durationText(read.data.duration_ms)}.`
      }
      actions={
        <Button
          component={Link}
          to="/security-testing"
          variant="default"
          size="xs"
          leftSection={<IconArrowLeft size={14} />}
        >
          All runs
        </Button>
      }
    >
      <Loaded read={read} height={480}>
        {(run) => <RunDetails run={run} />}
      </Loaded>
    </Page>
  );
}

function RunDetails(props: { readonly run: TestRun }) {
  const { run } = props;
  const caught = run.blocked + run.redacted;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Stat
          label="Attacks caught"
          value={percentText(caught / Math.max(1, run.total_tests))}
          about={`${caught} of ${run.total_tests}: ${run.blocked} blocked, ${run.redacted} redacted`}
        />
        <Stat label="Missed" value={run.missed} about="attacks not caught" />
        <Stat
          label="False positives"
          value={run.false_alarms}
          about={`of ${run.harmless_tests} harmless texts`}
        />
        <Stat label="Not run" value={run.errored} about="excluded from all other counts" />
      </SimpleGrid>
      <Grid>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Card>
            <Section title="By category">
              <Stack gap="sm">
                {run.categories.map(({ category, blocked, redacted, missed, total_tests }) => (
                  <div key={category}>
                    <Group justify="space-between" gap="xs">
                      <Text size="sm">{labelOf(category)}</Text>
                      <Text size="sm" c="dimmed">
                        {blocked + redacted} of {total_tests}
                      </Text>
                    </Group>
                    <Progress.Root size={8} mt={3} aria-hidden>
                      <Progress.Section
                        value={((blocked + redacted) / Math.max(1, total_tests)) * 100}
                        color="teal"
                      />
                      <Progress.Section value={(missed / Math.max(1, total_tests)) * 100} color="red" />
                    </Progress.Root>
                  </div>
                ))}
              </Stack>
            </Section>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <Comparison run={run} />
            <Card>
              <Section title="Failures">
                <DataTable
                  label="Failed tests"
                  rows={failuresOf(run)}
                  rowKey={({ name }) => name}
                  empty={<Empty icon={<IconShieldCheck size={22} />} title="All tests passed" />}
                  columns={TEST_COLUMNS}
                />
              </Section>
            </Card>
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** Compares this run with another one. */
function Comparison(props: { readonly run: TestRun }) {
  const { run } = props;
  const [params, setParams] = useSearchParams();
  const runs = useApiQuery<TestRunSummary[]>('/security-testing/runs');
  const others = (runs.data ?? []).filter(({ id }) => id !== run.id);
  const before = others.find(
    ({ started_at, target_preset }) =>
      Date.parse(started_at) < Date.parse(run.started_at) && target_preset === run.target_preset,
  );
  const otherId = params.get('against') ?? before?.id ?? others[0]?.id;
  const earlier = useApiQuery<TestRun>(`/security-testing/runs/${otherId}`, {
    enabled: otherId !== undefined,
  });
  if (others.length === 0) return null;
  return (
    <Card>
      <Section
        title="Compare with another run"
        actions={
          <Select
            aria-label="Other run"
            size="xs"
            w={260}
            value={otherId ?? null}
            allowDeselect={false}
            onChange={(value) => value !== null && setParams({ against: value })}
            data={others.map(({ id, target_preset, started_at }) => ({
              value: id,
              label: `${presetLabel(target_preset)}, ${timeText(started_at)}`,
            }))}
          />
        }
      >
        {earlier.data !== undefined && (
          <DataTable
            label="Changed results"
            rows={compareRuns(run, earlier.data)}
            rowKey={({ test }) => test.name}
            empty={
              <Text size="sm" c="dimmed">
                All results are the same.
              </Text>
            }
            columns={[
              { title: 'Test', isName: true, cell: ({ test }) => test.name },
              { title: 'Before', cell: ({ before }) => (before === undefined ? '–' : outcomeLabel(before)) },
              { title: 'Now', cell: ({ test }) => <Outcome outcome={test.outcome} /> },
              {
                title: 'Change',
                cell: ({ isWorse }) => (
                  <Text span size="sm" c={isWorse ? 'red' : 'teal'}>
                    {isWorse ? 'worse' : 'better'}
                  </Text>
                ),
              },
            ]}
          />
        )}
      </Section>
    </Card>
  );
}

const TEST_COLUMNS = [
  {
    title: 'Test',
    isName: true,
    cell: ({ name, description }: TestRun['tests'][number]) => (
      <>
        <Text size="sm" fw={550}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      </>
    ),
  },
  { title: 'Category', cell: ({ category }: TestRun['tests'][number]) => labelOf(category) },
  {
    title: 'Result',
    cell: ({ outcome }: TestRun['tests'][number]) => <Outcome outcome={outcome} />,
  },
];

function Outcome(props: { readonly outcome: string }) {
  return <Badge color={OUTCOME_COLORS[props.outcome] ?? 'gray'}>{outcomeLabel(props.outcome)}</Badge>;
}

function outcomeLabel(outcome: string): string {
  return outcome === 'false_alarm' ? 'False positive' : labelOf(outcome);
}

function labelOf(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
