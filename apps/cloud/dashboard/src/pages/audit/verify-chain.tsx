import type { ChainReport } from '@csg/shared/contract';
import { Alert, Button, Card, List, Stack, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { Section } from '../../components/page.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { countOf, countText, timeText } from '../../data/format.ts';
import { useApiMutation } from '../../data/hooks.ts';

export function VerifyChain() {
  const verify = useApiMutation(() => callApi<ChainReport>('POST', '/audit-log/verify-chain'), {
    quiet: true,
  });
  return (
    <Card h="100%">
      <Section title="Verification">
        <Text size="sm">
          Every entry carries the hash of the one before it, so that one that was changed, removed or slipped
          in breaks the chain at its place. The entry of a decision also carries a digest of its event, so
          that an event that was changed or deleted is found. From time to time a signed checkpoint fixes the
          chain's end and leaves the database, so that even whoever holds the database cannot rewrite what
          lies before one. Entries after the last checkpoint hold together, but nothing outside vouches for
          them yet: they are the unanchored tail.
        </Text>
        <Button
          w="fit-content"
          leftSection={<IconShieldCheck size={16} />}
          loading={verify.isPending}
          onClick={() => verify.mutate(undefined)}
        >
          Verify the chain
        </Button>
        {verify.error && <ErrorAlert error={verify.error} />}
        {verify.data && <Report report={verify.data} />}
        <Text size="xs" c="dimmed">
          An outsider checks an export alone: <code>node scripts/verify-audit.ts FILE</code>.
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
      <Alert
        color={report.valid ? 'teal' : 'red'}
        title={report.valid ? 'The chain holds' : 'The chain is broken'}
      >
        <Text size="sm">
          Verified: {countOf(report.checked, 'entry', 'entries')}, {countOf(report.events_checked, 'event')}.
        </Text>
        {report.first_invalid && (
          <Text size="sm" fw={550}>
            First broken: entry {countText(report.first_invalid.seq)}. {report.first_invalid.message}
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
          ? 'No checkpoint covers any of them yet.'
          : `Anchored up to entry ${countText(report.anchored_until)} by ${countOf(report.checkpoints.length, 'checkpoint')}${last === undefined ? '' : `, the last of ${timeText(last.at)}`}.`}{' '}
        {report.unanchored_tail === 0
          ? 'There is no unanchored tail.'
          : `Unanchored tail: ${countOf(report.unanchored_tail, 'entry', 'entries')}.`}
      </Text>
      {report.events_covered_from > 1 && (
        <Text size="sm" c="dimmed">
          Events of decisions before entry {countText(report.events_covered_from)} are not compared: an older
          version recorded them without a digest.
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
