import { MAX_PROVIDER_REPORT_CHARS, type Reconciliation } from '@csg/shared/contract';
import { Alert, Badge, Button, Card, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { countOf, countText } from '../../data/format.ts';
import { useApiMutation } from '../../data/hooks.ts';

type Row = Reconciliation['rows'][number];

const RESULTS = {
  matches: { label: 'Matches', color: 'teal' },
  bypassed: { label: 'Bypassed', color: 'red' },
  unclear: { label: 'Unclear', color: 'yellow' },
  more_recorded: { label: 'More recorded', color: 'gray' },
} as const satisfies Record<Row['result'], { readonly label: string; readonly color: string }>;

/** Compares a provider's own usage report with the recorded usage: the difference bypassed the gateway. */
export function Reconcile() {
  const [isTooLarge, setTooLarge] = useState(false);
  const compare = useApiMutation(
    (report: string) => callApi<Reconciliation>('POST', '/usage/reconcile', { body: { report } }),
    { quiet: true },
  );
  const read = async (file: File | null) => {
    if (file === null) return;
    const text = await file.text();
    setTooLarge(text.length > MAX_PROVIDER_REPORT_CHARS);
    if (text.length <= MAX_PROVIDER_REPORT_CHARS) compare.mutate(text);
  };
  return (
    <Card>
      <Section
        title="Compare with the provider"
        about="Choose a provider’s usage export (CSV or JSON, grouped by model and day). Usage in the export that is not recorded here did not pass this gateway. The file is not stored."
      >
        <Stack gap="sm">
          <FileButton onChange={read} accept=".csv,.json,text/csv,application/json">
            {(props) => (
              <Button
                {...props}
                w="fit-content"
                variant="default"
                leftSection={<IconUpload size={16} />}
                loading={compare.isPending}
              >
                Choose a report
              </Button>
            )}
          </FileButton>
          {isTooLarge && (
            <Alert color="red">
              The report has more than {countText(MAX_PROVIDER_REPORT_CHARS)} characters. Export a shorter
              period.
            </Alert>
          )}
          {compare.error && <ErrorAlert error={compare.error} />}
          {compare.data && <Result result={compare.data} />}
        </Stack>
      </Section>
    </Card>
  );
}

function Result(props: { readonly result: Reconciliation }) {
  const { total, rows, from, to, other_models: others } = props.result;
  const isBypassed = (total.missing_requests ?? 0) > 0 || rows.some(({ result }) => result === 'bypassed');
  return (
    <Stack gap="sm" role="status">
      <Alert
        color={isBypassed ? 'red' : 'teal'}
        title={isBypassed ? 'Some usage did not pass this gateway' : 'No usage bypassed this gateway'}
      >
        <Text size="sm">
          {from} to {to}:{' '}
          {total.missing_requests !== null && `${countOf(total.missing_requests, 'request')} and `}
          {countOf(total.missing_tokens, 'token')} of the provider’s report are not recorded here.
          {total.without_usage > 0 &&
            ` ${countOf(total.without_usage, 'response')} recorded here reported no tokens.`}
          {total.calls_without_model > 0 &&
            ` ${countOf(total.calls_without_model, 'call')} recorded here received no response.`}
        </Text>
      </Alert>
      <DataTable<Row>
        label="Compared usage"
        rows={rows}
        rowKey={({ day, model }) => `${day} ${model}`}
        empty={null}
        columns={COLUMNS}
      />
      {others.length > 0 && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            Recorded here but missing in the report: {others.join(', ')}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Model', isName: true, cell: ({ model }) => model },
  { title: 'Day', cell: ({ day }) => day },
  {
    title: 'Result',
    cell: ({ result }) => <Badge color={RESULTS[result].color}>{RESULTS[result].label}</Badge>,
  },
  {
    title: 'Provider counts',
    align: 'right',
    cell: ({ provider_requests: requests }) => (requests === null ? '–' : countText(requests)),
  },
  {
    title: 'Recorded',
    align: 'right',
    cell: ({ recorded_requests: requests }) => countText(requests),
  },
  {
    title: 'Missing requests',
    align: 'right',
    cell: ({ missing_requests: requests }) => (requests === null ? '–' : countText(requests)),
  },
  { title: 'Missing tokens', align: 'right', cell: ({ missing_tokens: tokens }) => countText(tokens) },
];
