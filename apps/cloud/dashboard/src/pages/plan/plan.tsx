import type { UsageOverview } from '@csg/shared/contract';
import { Alert, Card, Grid, Progress, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Page, Section } from '../../components/page.tsx';
import { Stat } from '../../components/stat.tsx';
import { Loaded } from '../../components/states.tsx';
import { countOf, countText, dayText, dollarText, percentText, shortCount } from '../../data/format.ts';
import { useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { ModelPrices } from './model-prices.tsx';
import { Reconcile } from './reconcile.tsx';
import { Spending } from './spending.tsx';
import { UsageReport } from './usage-report.tsx';

const BarChart = lazy(async () => ({ default: (await import('../../components/bar-chart.tsx')).BarChart }));

const PLAN_LABELS = { free: 'Free', pro: 'Pro', scale: 'Scale', enterprise: 'Enterprise' } as const;
const CHART_HEIGHT = 230;

/** The account's month: usage, projection and plan limits. */
export function Plan() {
  const read = useApiQuery<UsageOverview>('/usage', { refetchMs: 60_000 });
  const isOwner = isAtLeast(useSession(), 'owner');
  return (
    <Page
      title="Usage and plan"
      about="Usage of the account that owns this organization, across all its organizations. Dates are in UTC."
    >
      <Loaded read={read} height={520}>
        {(usage) => (
          <Stack>
            <QuotaAlert usage={usage} />
            <Numbers usage={usage} />
            <Card>
              <Section title={`Requests per day, ${monthText(usage.month)}`}>
                <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
                  <BarChart
                    label={`Requests per day, ${monthText(usage.month)}`}
                    height={CHART_HEIGHT}
                    ticks={usage.daily_usage.map(({ date }) => date.slice(8))}
                    series={seriesOf(usage)}
                  />
                </Suspense>
              </Section>
            </Card>
            <Grid>
              <Grid.Col span={{ base: 12, md: 6 }}>
                <Allowances usage={usage} />
              </Grid.Col>
              {usage.quota === 'soft' && usage.requests_limit !== null && (
                <Grid.Col span={{ base: 12, md: 6 }} id="on-demand">
                  <Spending usage={usage} isReader={!isOwner} />
                </Grid.Col>
              )}
            </Grid>
            <UsageReport />
            <ModelPrices />
            <Reconcile />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

/** Warns if there is no active plan or the quota will be exceeded. */
function QuotaAlert(props: { readonly usage: UsageOverview }) {
  const { usage } = props;
  const { requests_limit: limit, projected_requests: projected } = usage;
  if (usage.subscription_status === 'none' || usage.subscription_status === 'canceled') {
    return (
      <Alert color="red" title="No active plan">
        Counted requests are rejected (429 subscription_inactive). The operator of this gateway sets the plan.
      </Alert>
    );
  }
  if (limit === null || projected <= limit) return null;
  return (
    <Alert color="yellow" title="The quota will be exceeded">
      {usage.quota === 'hard'
        ? `At the current rate, the quota of ${countText(limit)} requests is used up before the end of the month. Further requests are then rejected.`
        : `At the current rate, usage exceeds the quota by about ${countText(projected - limit)} requests, which cost ${dollarText(usage.projected_overage_usd)}.`}
    </Alert>
  );
}

function Numbers(props: { readonly usage: UsageOverview }) {
  const { usage } = props;
  const { requests_limit: limit } = usage;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Stat
        label="Used this month"
        value={shortCount(usage.requests_used)}
        about={
          limit === null ? (
            'no monthly quota'
          ) : (
            <>
              {percentText(usage.requests_used / limit)} of {countText(limit)}
              <Progress
                mt={4}
                value={Math.min(100, (usage.requests_used / limit) * 100)}
                color={usage.requests_used / limit >= 0.9 ? 'red' : 'harbor'}
                aria-label="Share of quota used"
              />
            </>
          )
        }
      />
      <Stat
        label="Projected this month"
        value={shortCount(usage.projected_requests)}
        about="at the current rate"
      />
      <Stat label="From devices" value={shortCount(usage.device_requests)} about="counted, never rejected" />
      <Stat
        label="Over quota"
        value={usage.overage === 0 ? '0' : shortCount(usage.overage)}
        about={usage.overage === 0 ? `resets ${dayText(usage.reset_at)}` : dollarText(usage.overage_usd)}
      />
    </SimpleGrid>
  );
}

function countOrNone(limit: number | null, without: string): string {
  return limit === null ? without : countText(limit);
}

function Allowances(props: { readonly usage: UsageOverview }) {
  const { usage } = props;
  const without = 'no limit';
  const rows = [
    ['Plan', PLAN_LABELS[usage.plan]],
    ['Requests per month', usage.requests_limit === null ? without : countText(usage.requests_limit)],
    ['Over quota', usage.quota === 'hard' ? 'rejected' : 'allowed'],
    ['Requests per minute', countText(usage.per_minute)],
    [
      'Projects',
      usage.projects === null
        ? `${usage.projects_used} (${without})`
        : `${usage.projects_used} of ${usage.projects}`,
    ],
    [
      usage.keys === null ? 'API keys per project' : 'API keys',
      countOrNone(usage.keys ?? usage.keys_per_project, without),
    ],
    ['Alerts sent this month', usage.alerts.length === 0 ? 'none' : usage.alerts.map(alertLabel).join(', ')],
  ] as const;
  return (
    <Card h="100%">
      <Section title="Plan limits">
        <Table withRowBorders={false} verticalSpacing={4} aria-label="Plan limits">
          <Table.Tbody>
            {rows.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400} c="dimmed" pl={0} w="45%">
                  {name}
                </Table.Th>
                <Table.Td pr={0}>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="xs" c="dimmed">
          To change the plan, the operator runs <code>npm run -s gateway -- plan set --plan NAME</code> with
          another plan. {countOf(usage.requests_used, 'request')} counted this month.
        </Text>
      </Section>
    </Card>
  );
}

function seriesOf({ daily_usage, daily_devices }: UsageOverview) {
  const deviceCounts = new Map(daily_devices.map(({ date, requests }) => [date, requests]));
  return [
    {
      name: 'API keys',
      color: 'harbor',
      values: daily_usage.map(({ date, requests }) => requests - (deviceCounts.get(date) ?? 0)),
    },
    {
      name: 'Devices',
      color: 'grape',
      values: daily_usage.map(({ date }) => deviceCounts.get(date) ?? 0),
    },
  ];
}

function alertLabel(alert: UsageOverview['alerts'][number]): string {
  return alert === 'overage' ? 'overage' : `${alert}% of the quota`;
}

function monthText(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(undefined, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
