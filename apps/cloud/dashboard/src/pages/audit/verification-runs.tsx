import type { AuditVerificationRecord } from '@csg/shared/contract';
import { Group, Progress, Stack, Text } from '@mantine/core';
import { TimeAgo } from '../../components/time-ago.tsx';
import { countText } from '../../data/format.ts';
import { useApiQuery } from '../../data/hooks.ts';
import { useNames } from '../../data/names.ts';

const RUNNING_REFRESH_MS = 1_000;
const SLOW_REFRESH_MS = 60_000;
const MAX_SHOWN = 5;

/** The latest verifications; those that run with their progress, whoever started them. */
export function VerificationRuns(props: { readonly isRunning: boolean }) {
  const { data = [] } = useApiQuery<AuditVerificationRecord[]>('/audit-log/verifications', {
    refetchMs: props.isRunning ? RUNNING_REFRESH_MS : SLOW_REFRESH_MS,
  });
  const nameOf = useNames();
  if (data.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        Latest verifications
      </Text>
      {data.slice(0, MAX_SHOWN).map((run) => (
        <div key={run.id}>
          <Group gap="xs" justify="space-between">
            <Text size="xs">{sentenceOf(run)}</Text>
            <Text size="xs" c="dimmed">
              {nameOf(run.started_by)}, <TimeAgo at={run.started_at} />
            </Text>
          </Group>
          {run.state === 'running' && (
            <Progress
              mt={4}
              size={8}
              value={run.rows_total ? (run.rows_read / run.rows_total) * 100 : 0}
              aria-label="Entries read"
            />
          )}
        </div>
      ))}
    </Stack>
  );
}

function sentenceOf({ state, rows_read, rows_total, first_invalid }: AuditVerificationRecord): string {
  const read = countText(rows_read);
  if (state === 'valid') return `Valid: ${read} entries`;
  if (state === 'invalid') return `Broken at entry ${countText(first_invalid ?? 0)}`;
  const progress = rows_total === null ? '' : `, ${read} of ${countText(rows_total)} entries`;
  return `${STATES[state]}${progress}`;
}

const STATES = {
  running: 'Running',
  failed: 'The log could not be read',
  interrupted: 'Interrupted',
} as const;
