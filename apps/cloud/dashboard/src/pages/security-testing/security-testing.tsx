import type { TestRun, TestRunSummary } from '@csg/shared/contract';
import { Alert, Anchor, Button, Card, Group, Select, Text } from '@mantine/core';
import { IconPlayerPlay, IconTestPipe } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { DataTable } from '../../components/data-table.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { countOf, durationText, percentText } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { namesOf, STRICTNESS_LABELS, USE_CASE_LABELS } from '../../data/labels.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { presetLabel } from './preset-label.ts';

/** Runs built-in attacks against a preset. Runs are stored, so that they can be compared. */
export function SecurityTesting() {
  const navigate = useNavigate();
  const session = useSession();
  const [preset, setPreset] = useState('default:moderate');
  const read = useApiQuery<TestRunSummary[]>('/security-testing/runs');
  const run = useApiMutation(
    () => callApi<TestRun>('POST', '/security-testing/runs', { body: { target_preset: preset } }),
    { refresh: ['/security-testing'] },
  );
  return (
    <Page
      title="Security testing"
      about="Tests the engine with built-in attacks and harmless texts. Creates no events and does not count as usage."
      actions={
        isAtLeast(session, 'member') ? (
          <>
            <Select
              aria-label="Preset"
              w={230}
              data={presets()}
              value={preset}
              allowDeselect={false}
              onChange={(value) => setPreset(value ?? preset)}
            />
            <Button
              leftSection={<IconPlayerPlay size={16} />}
              loading={run.isPending}
              onClick={() =>
                run.mutate(undefined, { onSuccess: ({ id }) => navigate(`/security-testing/${id}`) })
              }
            >
              Run all tests
            </Button>
          </>
        ) : null
      }
    >
      {run.isPending && <Alert color="blue">Running. This takes up to 30 seconds.</Alert>}
      <Card p={{ base: 'sm', sm: 'md' }}>
        <Section title="Runs">
          <DataTable
            label="Runs"
            rows={read.data}
            rowKey={({ id }) => id}
            error={read.error}
            retry={() => read.refetch()}
            onOpen={({ id }) => navigate(`/security-testing/${id}`)}
            empty={
              <Empty icon={<IconTestPipe size={22} />} title="No runs yet">
                Select a preset and run all tests to see caught attacks, missed attacks and false positives.
              </Empty>
            }
            columns={[
              {
                title: 'Preset',
                isName: true,
                cell: ({ id, target_preset }) => (
                  <Anchor component={Link} to={`/security-testing/${id}`} size="sm">
                    {presetLabel(target_preset)}
                  </Anchor>
                ),
              },
              {
                title: 'Attacks caught',
                cell: ({ blocked, redacted, total_tests }) => (
                  <Text span size="sm" fw={550}>
                    {percentText((blocked + redacted) / Math.max(1, total_tests))}{' '}
                    <Text span c="dimmed" fw={400}>
                      of {total_tests}
                    </Text>
                  </Text>
                ),
              },
              {
                title: 'False positives',
                cell: ({ false_alarms, harmless_tests }) => `${false_alarms} of ${harmless_tests} harmless`,
              },
              {
                title: 'Not run',
                wideOnly: true,
                cell: ({ errored }) => (errored === 0 ? '–' : countOf(errored, 'test')),
              },
              { title: 'Duration', wideOnly: true, cell: ({ duration_ms }) => durationText(duration_ms) },
              {
                title: 'Started',
                cell: ({ started_at, started_by }) => (
                  <>
                    <TimeAgo at={started_at} /> by {started_by}
                  </>
                ),
              },
            ]}
          />
        </Section>
      </Card>
      <Group>
        <Text size="sm" c="dimmed">
          Run from CI: <code>npm run -s gateway -- security-test</code>, or{' '}
          <code>POST /api/v1/security-testing/run-all</code>.
        </Text>
      </Group>
    </Page>
  );
}

function presets(): { value: string; label: string }[] {
  return namesOf(USE_CASE_LABELS).flatMap((useCase) =>
    namesOf(STRICTNESS_LABELS).map((level) => {
      const value = `${useCase}:${level}`;
      return { value, label: presetLabel(value) };
    }),
  );
}
