import type { Evidence as Report } from '@csg/shared/contract';
import { Accordion, Anchor, Badge, Button, Card, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { countText, timeText } from '../../data/format.ts';
import { useApiQuery } from '../../data/hooks.ts';
import { threatLabel } from '../../data/labels.ts';

type Framework = Report['frameworks'][number];
type Control = Framework['controls'][number];
type Figure = Report['figures'][number];

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const COVERAGES = {
  addressed: { label: 'Addressed', color: 'teal' },
  partial: { label: 'Partly', color: 'yellow' },
  outside: { label: 'Outside', color: 'gray' },
} as const satisfies Record<Control['coverage'], { readonly label: string; readonly color: string }>;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The recorded evidence of a period for published frameworks, for audits. */
export function Evidence() {
  const today = dayOf(Date.now());
  const [range, setRange] = useState({ from: dayOf(Date.now() - (DEFAULT_DAYS - 1) * DAY_MS), to: today });
  const read = useApiQuery<Report>('/evidence', { query: range, keepPrevious: true });
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
  return (
    <Page
      title="Evidence"
      about="Evidence from the records of this organization for published frameworks. Days are in UTC."
      actions={
        <Group align="flex-end" gap="xs">
          {day('from', 'From')}
          {day('to', 'To')}
          <Button
            component="a"
            href={`/dashboard/evidence?${new URLSearchParams({ ...range, format: 'csv' })}`}
            download
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
          >
            CSV
          </Button>
        </Group>
      }
    >
      <Loaded read={read} height={420}>
        {(report) => (
          <Stack>
            <Accordion
              multiple
              variant="separated"
              order={2}
              defaultValue={report.frameworks.slice(0, 1).map(({ id }) => id)}
            >
              {report.frameworks.map((framework) => (
                <FrameworkItem key={framework.id} framework={framework} figures={report.figures} />
              ))}
            </Accordion>
            <Card>
              <List size="sm" c="dimmed">
                {report.limits.map((limit) => (
                  <List.Item key={limit}>{limit}</List.Item>
                ))}
                <List.Item>Read on {timeText(report.generated_at)}.</List.Item>
              </List>
            </Card>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function FrameworkItem(props: { readonly framework: Framework; readonly figures: readonly Figure[] }) {
  const { framework, figures } = props;
  const addressed = framework.controls.filter(({ coverage }) => coverage === 'addressed').length;
  const partial = framework.controls.filter(({ coverage }) => coverage === 'partial').length;
  return (
    <Accordion.Item value={framework.id}>
      <Accordion.Control>
        <Text fw={600}>{framework.name}</Text>
        <Text size="sm" c="dimmed">
          {framework.edition}. Of {framework.controls.length} points, {addressed} addressed and {partial}{' '}
          partly addressed.
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <DataTable<Control>
            label={framework.name}
            rows={framework.controls}
            rowKey={({ id }) => id}
            empty={null}
            columns={[
              {
                title: 'Point',
                isName: true,
                cell: ({ id, title }) => (
                  <>
                    <Text size="sm" fw={550}>
                      {id}
                    </Text>
                    <Text size="sm">{title}</Text>
                  </>
                ),
              },
              {
                title: 'Coverage',
                cell: ({ coverage }) => (
                  <Badge color={COVERAGES[coverage].color}>{COVERAGES[coverage].label}</Badge>
                ),
              },
              { title: 'Statement', cell: ({ statement }) => <Text size="sm">{statement}</Text> },
              { title: 'Evidence', cell: (control) => <Figures control={control} figures={figures} /> },
            ]}
          />
          <Anchor href={framework.source} target="_blank" rel="noreferrer" size="xs">
            {framework.source}
          </Anchor>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function Figures(props: { readonly control: Control; readonly figures: readonly Figure[] }) {
  const shown = props.figures.filter(({ id }) => props.control.figures.includes(id));
  if (shown.length === 0) return '–';
  return (
    <List size="sm" listStyleType="none">
      {shown.map(({ id, label, value, path }) => (
        <List.Item key={id}>
          {path?.includes('threat_type=') ? `Events: ${threatLabel(id)}` : label}:{' '}
          {path === null ? (
            countText(value)
          ) : (
            <Anchor
              component={Link}
              to={path}
              size="sm"
              underline="always"
              aria-label={`${label}: ${countText(value)}`}
            >
              {countText(value)}
            </Anchor>
          )}
        </List.Item>
      ))}
    </List>
  );
}
