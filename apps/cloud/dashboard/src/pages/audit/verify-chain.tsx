import type { ChainReport } from '@csg/shared/contract';
import { Alert, Button, Card, List, Stack, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { Section } from '../../components/page.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { countOf, countText, timeText } from '../../data/format.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { VerificationRuns } from './verification-runs.tsx';

export function VerifyChain() {
  const verify = useApiMutation(() => callApi<ChainReport>('POST', '/audit-log/verify-chain'), {
    quiet: true,
    refresh: ['/audit-log/verifications'],
  });
  return (
    <Card h="100%">
      <Section title="Verification">
        <Text size="sm">
          Every entry contains the hash of the previous one, so a changed, removed or inserted entry breaks
          the chain at its position. The entry of a decision also contains a digest of its event, so a changed
          or deleted event is detected. Signed checkpoints regularly record the end of the chain outside the
          database, so even an attacker with full access to the database cannot rewrite earlier entries
          unnoticed. Entries after the last checkpoint are not covered yet; they are the unanchored tail.
        </Text>
        <Button
          w="fit-content"
          leftSection={<IconShieldCheck size={16} />}
          loading={verify.isPending}
          onClick={() => verify.mutate(undefined)}
        >
          Verify chain
        </Button>
        {verify.error && <ErrorAlert error={verify.error} />}
        {verify.data && <Report report={verify.data} />}
        <VerificationRuns isRunning={verify.isPending} />
        <Text size="xs" c="dimmed">
          To verify an export independently, run <code>node scripts/verify-audit.ts FILE</code>.
        </Text>
      </Section>
    </Card>
  );
}

function Report(props: { readonly report: ChainReport }) {
  const { report } = props;
  const last = report.checkpoints.at(-1);
  return (
    <Stack gap="sm" role="status">
      <Alert color={report.valid ? 'teal' : 'red'} title={report.valid ? 'Chain verified' : 'Chain broken'}>
        <Text size="sm">
          Checked: {countOf(report.checked, 'entry', 'entries')}, {countOf(report.events_checked, 'event')}.
        </Text>
        {report.first_invalid && (
          <Text size="sm" fw={550}>
            First invalid entry: {countText(report.first_invalid.seq)}. {report.first_invalid.message}
          </Text>
        )}
      </Alert>
      {report.faults.length > 1 && (
        <List size="sm">
          {report.faults.slice(1).map(({ seq, reason, message }) => (
            <List.Item key={`${seq} ${reason}`}>
              Entry {countText(seq)}: {message}
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm">
        {report.anchored_until === 0
          ? 'No checkpoint covers these entries yet.'
          : `Anchored up to entry ${countText(report.anchored_until)} by ${countOf(report.checkpoints.length, 'checkpoint')}${last === undefined ? '' : `, the latest from ${timeText(last.at)}`}.`}{' '}
        {report.unanchored_tail === 0
          ? 'No unanchored tail.'
          : `Unanchored tail: ${countOf(report.unanchored_tail, 'entry', 'entries')}.`}
      </Text>
      {report.timestamp !== null && (
        <Text size="sm" c={report.timestamp.valid ? undefined : 'red'}>
          {report.timestamp.valid
            ? `Time-stamped up to entry ${countText(report.timestamp.seq)}, on ${timeText(report.timestamp.at)} by an independent authority.`
            : `The latest time stamp, of entry ${countText(report.timestamp.seq)}, does not chain to a trusted certificate.`}
        </Text>
      )}
      {report.events_covered_from > 1 && (
        <Text size="sm" c="dimmed">
          Events of decisions before entry {countText(report.events_covered_from)} are not checked, because an
          earlier version recorded them without a digest.
        </Text>
      )}
      {report.notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
    </Stack>
  );
}
