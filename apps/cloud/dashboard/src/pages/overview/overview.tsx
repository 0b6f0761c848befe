import type { Overview as OverviewData, OverviewSpan } from '@csg/shared/contract';
import { DECISION_COLORS } from '@csg/shared/theme';
import { Card, Grid, SegmentedControl, Select, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { Page, Section } from '../../components/page.tsx';
import { Stat } from '../../components/stat.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { countOf, durationText, fieldTime, percentText, shortCount } from '../../data/format.ts';
import { useApiQuery } from '../../data/hooks.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';
import { DeviceStates } from './device-states.tsx';
import { FirstSteps } from './first-steps.tsx';
import { TopThreats } from './top-threats.tsx';

/** The chart library loads after the numbers. */
const BarChart = lazy(async () => ({ default: (await import('../../components/bar-chart.tsx')).BarChart }));

const REFETCH_MS = 30_000;
const CHART_HEIGHT = 250;
const SPAN_LABELS: Readonly<Record<OverviewSpan, string>> = {
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
};

export function Overview() {
  const [params, setParams] = useSearchParams();
  const span = (params.get('span') ?? '24h') as OverviewSpan;
  const projectId = params.get('project');
  const projects = useProjects();
  const read = useApiQuery<OverviewData>('/overview', {
    query: { span, project_id: projectId },
    refetchMs: REFETCH_MS,
    keepPrevious: true,
  });
  const { data } = read;
  const set = (name: string, value: string | null) =>
    setParams((before) => {
      if (value === null) before.delete(name);
      else before.set(name, value);
      return before;
    });
  const spanLabel = SPAN_LABELS[span];
  return (
    <Page
      title="Overview"
      about={`Scans and decisions in the ${spanLabel}.`}
      actions={
        <>
          {(projects.data?.length ?? 0) > 1 && (
            <Select
              aria-label="Project"
              placeholder="All projects"
              data={projectChoices(projects.data)}
              value={projectId}
              onChange={(value) => set('project', value)}
              clearable
              w={180}
            />
          )}
          <SegmentedControl
            aria-label="Time span"
            value={span}
            onChange={(value) => set('span', value)}
            data={[
              { value: '24h', label: '24 hours' },
              { value: '7d', label: '7 days' },
              { value: '30d', label: '30 days' },
            ]}
          />
        </>
      }
    >
      {data === undefined && read.error !== null ? (
        <ErrorAlert error={read.error} retry={() => read.refetch()} />
      ) : (
        <Stack gap="lg" style={{ opacity: read.isPlaceholderData ? 0.6 : 1, transition: 'opacity 120ms' }}>
          {data && <FirstSteps overview={data} />}
          <Numbers data={data} spanLabel={spanLabel} />
          <Card>
            <Section title={`Decisions, ${spanLabel}`}>
              {data === undefined ? (
                <Skeleton height={CHART_HEIGHT} />
              ) : (
                <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
                  <BarChart
                    label={`Decisions, ${spanLabel}`}
                    height={CHART_HEIGHT}
                    linkOf={(index) => eventsOf(data.buckets, index, projectId)}
                    ticks={data.buckets.map(({ at }) => tickText(at, span))}
                    series={(['allow', 'redact', 'block'] as const).map((decision) => ({
                      name: decision,
                      color: DECISION_COLORS[decision],
                      values: data.buckets.map((bucket) => bucket[decision]),
                    }))}
                  />
                </Suspense>
              )}
            </Section>
          </Card>
          <Grid>
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Card h="100%">
                <TopThreats data={data} spanLabel={spanLabel} />
              </Card>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Card h="100%">
                <DeviceStates data={data} />
              </Card>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Page>
  );
}

function Numbers(props: { readonly data: OverviewData | undefined; readonly spanLabel: string }) {
  const { data, spanLabel } = props;
  const totals = data?.totals;
  const share = (count: number | undefined) =>
    totals === undefined || count === undefined || totals.requests === 0
      ? spanLabel
      : `${percentText(count / totals.requests)} of all decisions`;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md">
      <Stat
        label="Decisions"
        value={totals && shortCount(totals.requests)}
        about={totals?.failed ? `${countOf(totals.failed, 'scan')} failed` : 'prompts and responses'}
      />
      <Stat label="Blocked" value={totals && shortCount(totals.block)} about={share(totals?.block)} />
      <Stat label="Redacted" value={totals && shortCount(totals.redact)} about={share(totals?.redact)} />
      <Stat
        label="Allowed with findings"
        value={totals && shortCount(totals.detected)}
        about="monitored or low confidence"
      />
      <Stat
        label="Median scan time"
        value={data && (data.latency === null ? '–' : durationText(data.latency.p50_ms))}
        about={
          data?.latency
            ? `99% within ${durationText(data.latency.p99_ms)}, last ${shortCount(data.latency.sample)} scans`
            : data && 'no scans in this period'
        }
      />
    </SimpleGrid>
  );
}

/** The events of one bar. */
function eventsOf(buckets: OverviewData['buckets'], index: number, projectId: string | null): string {
  const [first, second] = buckets.map(({ at }) => Date.parse(at));
  const fromMs = Date.parse(buckets[index]?.at ?? '');
  const lengthMs = (second ?? fromMs) - (first ?? fromMs);
  const range = { span: 'custom', from: fieldTime(fromMs), to: fieldTime(fromMs + lengthMs) };
  return `/events?${new URLSearchParams({ ...range, ...(projectId === null ? {} : { project_id: projectId }) })}`;
}

function tickText(at: string, span: OverviewSpan): string {
  const date = new Date(at);
  const day = date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
  if (span === '30d') return day;
  const hour = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  return span === '7d' ? `${day}, ${hour}` : hour;
}
