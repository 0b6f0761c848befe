import { HOST_TAG, type UsageReport as Report, type UsageGroup } from '@csg/shared/contract';
import { Anchor, Button, Card, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { countText, dollarText, durationText } from '../../data/format.ts';
import { useApiQuery } from '../../data/hooks.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';

const GROUP_LABELS: Readonly<Record<UsageGroup, string>> = {
  project: 'Project',
  key: 'API key',
  model: 'Model',
  device: 'Device',
  person: 'Person',
  day: 'Day',
  session: 'Session',
  tag: 'Tag',
  host: 'AI host',
};
/** Labels are counted within one project. */
const LABELS: readonly string[] = ['session', 'tag'] satisfies UsageGroup[];

/** The events behind a row, as filters of their page. */
const EVENT_FILTERS: Readonly<Partial<Record<UsageGroup, (id: string) => Record<string, string>>>> = {
  project: (id) => ({ project_id: id }),
  key: (id) => ({ key_id: id }),
  model: (id) => ({ model: id }),
  device: (id) => ({ device_id: id }),
  person: (id) => ({ user_id: id }),
  session: (id) => ({ session: id }),
  tag: (id) => ({ tag: id }),
  host: (id) => ({ tag: `${HOST_TAG}${id}` }),
};

type Row = Report['rows'][number];

/** Usage of the organization's models over a range of days, in groups. */
export function UsageReport() {
  const today = new Date().toISOString().slice(0, 10);
  const [range, setRange] = useState({ from: `${today.slice(0, 7)}-01`, to: today });
  const [params, setParams] = useSearchParams();
  const asked = params.get('by') ?? '';
  const project = params.get('project');
  const isGroup = asked in GROUP_LABELS && (project !== null || !LABELS.includes(asked));
  const by = isGroup ? (asked as UsageGroup) : 'project';
  const set = (name: string, value: string | null): void => {
    const next = new URLSearchParams(params);
    if (value === null) next.delete(name);
    else next.set(name, value);
    setParams(next, { replace: true, preventScrollReset: true });
  };
  const projects = useProjects();
  const query = { by, ...range, ...(project !== null && { project_id: project }) };
  const read = useApiQuery<Report>('/usage/report', { query, keepPrevious: true });
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      size="xs"
      label={label}
      value={range[name]}
      max={today}
      onChange={({ currentTarget: { value } }) => value !== '' && setRange({ ...range, [name]: value })}
    />
  );
  // A link that names a group means this part of the page.
  const [isMeant] = useState(asked !== '');
  return (
    // Below the bar that stays at the top on phones.
    <Card ref={isMeant ? showTop : undefined} style={{ scrollMarginTop: 64 }}>
      <Section
        title="Usage by"
        about="Decisions of this organization and tokens that providers reported. Days are in UTC. Choose a project to group by session or tag. A device in monitor mode blocks nothing: its decisions are those it would have enforced."
      >
        <Stack gap="sm">
          <Group align="flex-end" justify="space-between">
            <SegmentedControl
              size="xs"
              aria-label="Group by"
              style={{ flexWrap: 'wrap' }}
              value={by}
              onChange={(value) => set('by', value)}
              data={Object.entries(GROUP_LABELS).map(([value, label]) => ({
                ...{ value, label },
                disabled: project === null && LABELS.includes(value),
              }))}
            />
            <Group align="flex-end" gap="xs">
              <Select
                label="Project"
                placeholder="All"
                size="xs"
                w={150}
                clearable
                value={project}
                onChange={(value) => set('project', value)}
                data={projectChoices(projects.data)}
              />
              {day('from', 'From')}
              {day('to', 'To')}
              <Button
                component="a"
                href={`/dashboard/usage/report?${new URLSearchParams({ ...query, format: 'csv' })}`}
                download
                variant="default"
                size="xs"
                leftSection={<IconDownload size={14} />}
              >
                CSV
              </Button>
            </Group>
          </Group>
          <DataTable
            label={`Usage by ${GROUP_LABELS[by].toLowerCase()}`}
            rows={read.data?.rows}
            rowKey={({ id, name }) => id ?? name}
            error={read.error}
            retry={read.refetch}
            isStale={read.isPlaceholderData}
            empty={
              <Text size="sm" c="dimmed">
                No data for this period
              </Text>
            }
            columns={columnsOf(by)}
          />
          {read.data !== undefined && read.data.rows.length > 0 && <Total total={read.data.total} />}
        </Stack>
      </Section>
    </Card>
  );
}

/** Leads to the events behind the row. */
function NameOf({ by, id, name }: Pick<Row, 'id' | 'name'> & { readonly by: UsageGroup }) {
  const filter = id === null ? undefined : EVENT_FILTERS[by]?.(id);
  if (filter === undefined) return name;
  return (
    <Anchor component={Link} to={`/events?${new URLSearchParams(filter)}`} size="sm" style={BREAKS}>
      {name}
    </Anchor>
  );
}
const BREAKS = { overflowWrap: 'anywhere' } as const;

const showTop = (card: HTMLElement | null): void => card?.scrollIntoView();

function columnsOf(by: UsageGroup): readonly Column<Row>[] {
  const number = <Value extends number | null>(
    title: string,
    value: (row: Row) => Value,
    text: (value: NonNullable<Value>) => string,
    wideOnly = false,
  ): Column<Row> => ({
    ...{ title, align: 'right' as const, wideOnly, sortBy: value },
    cell: (row) => {
      const found = value(row);
      return found === null ? '–' : text(found as NonNullable<Value>);
    },
  });
  const name: Column<Row> = {
    ...{ title: GROUP_LABELS[by], isName: true, sortBy: (row) => row.name },
    cell: (row) => <NameOf by={by} {...row} />,
  };
  const decided = [
    number('Requests', ({ requests }) => requests, countText),
    number('Blocked', ({ blocked }) => blocked, countText),
  ];
  // Who names a host forwards the request, so its tokens are not known here.
  if (by === 'host') return [name, ...decided, number('Redacted', ({ redacted }) => redacted, countText)];
  return [
    name,
    ...decided,
    number('Rejected', ({ rejected }) => rejected, countText, true),
    number('Tokens in', ({ input_tokens: tokens }) => tokens, countText),
    number('Tokens out', ({ output_tokens: tokens }) => tokens, countText),
    number('Cost', ({ cost_usd: cost }) => cost, dollarText),
    number('Provider errors', ({ provider_errors: errors }) => errors, countText, true),
    number('Scan', ({ scan_ms: ms }) => ms, durationText, true),
    number('Provider', ({ provider_ms: ms }) => ms, durationText, true),
  ];
}

/** The totals, with a note on what they do not include. */
function Total(props: { readonly total: Report['total'] }) {
  const { total } = props;
  return (
    <Text size="sm" c="dimmed">
      {`${countText(total.requests)} requests, ${countText(total.input_tokens + total.output_tokens)} tokens`}
      {total.cost_usd !== null && `, ${dollarText(total.cost_usd)}`}.
      {total.unpriced_tokens > 0 && ` ${countText(total.unpriced_tokens)} tokens have no price.`}
      {total.without_usage > 0 && ` ${countText(total.without_usage)} responses reported no tokens.`}
    </Text>
  );
}
