import { Badge, Button, Card, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { AgentRequests } from '../../agent/control/control-messages.ts';
import { threatLabel } from '../../bridge/threat-words.ts';
import { invoke } from '../bridge.ts';
import { formatTime } from '../format-time.ts';
import { Empty } from '../parts/empty.tsx';
import { ErrorAlert, Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { useBridgeQuery } from '../use-read.ts';

type Row = AgentRequests['exceptions'][number] | AgentRequests['tool_requests'][number];

const STATES = {
  pending: { color: 'yellow', label: 'Waiting' },
  approved: { color: 'teal', label: 'Approved' },
  denied: { color: 'red', label: 'Denied' },
  cancelled: { color: 'gray', label: 'Withdrawn' },
  expired: { color: 'gray', label: 'Ended' },
} as const;

/** `decided` grows with every decision: then it is read again. */
export function RequestsPage(props: { readonly decided: number }) {
  const [read, refetch] = useBridgeQuery(() => invoke('requests'), props.decided);
  const [error, setError] = useState<string | null>(null);
  const cancel = (id: string): void => {
    invoke('cancel-request', { id })
      .then(
        () => setError(null),
        (error: Error) => setError(error.message),
      )
      .finally(refetch);
  };
  return (
    <Page
      title="Requests"
      about="What you asked for on this computer, and what became of it."
      action={
        <Group gap="xs" wrap="nowrap">
          <Button size="xs" variant="default" component="a" href="#/requests/new?kind=tool">
            Ask for a tool
          </Button>
          <Button size="xs" component="a" href="#/requests/new">
            Request exception
          </Button>
        </Group>
      }
    >
      {error !== null && <ErrorAlert message={error} />}
      <Loaded read={read}>{(requests) => <Rows rows={newestFirst(requests)} onCancel={cancel} />}</Loaded>
    </Page>
  );
}

function newestFirst({ exceptions, tool_requests }: AgentRequests): readonly Row[] {
  return [...exceptions, ...tool_requests].sort((a, b) => b.created_at.localeCompare(a.created_at));
}

function Rows(props: { readonly rows: readonly Row[]; readonly onCancel: (id: string) => void }) {
  if (props.rows.length === 0) {
    return (
      <Empty title="You asked for nothing yet">
        When something was stopped that you need, ask for an exception: an administrator approves it for some
        minutes, or says why not.
      </Empty>
    );
  }
  return (
    <Card padding={0}>
      <ul className="rows" aria-label="Requests">
        {props.rows.map((row) => (
          <li key={row.id}>
            <RequestRow row={row} onCancel={props.onCancel} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RequestRow({ row, onCancel }: { readonly row: Row; readonly onCancel: (id: string) => void }) {
  const { color, label } = STATES[row.status];
  const isException = 'destination_host' in row;
  const host = isException ? row.destination_host : row.requested_host;
  const canCancel = row.status === 'pending' || row.status === 'approved';
  return (
    <Group justify="space-between" px="md" py="sm" wrap="nowrap">
      <div>
        <Text size="sm" fw={550}>
          {isException ? `Exception for ${host}` : `The tool ${host}`}
        </Text>
        <Text size="xs" c="dimmed">
          {detailOf(row)}
        </Text>
        {row.decision_reason !== null && <Text size="xs">“{row.decision_reason}”</Text>}
      </div>
      <Group gap="sm" wrap="nowrap">
        <Badge color={color}>{label}</Badge>
        {canCancel && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => onCancel(row.id)}
            aria-label={`Withdraw the request for ${host}`}
          >
            Withdraw
          </Button>
        )}
      </Group>
    </Group>
  );
}

function detailOf(row: Row): string {
  const requestedAt = `asked ${formatTime(row.created_at)}`;
  if (!('destination_host' in row)) return requestedAt;
  const what = row.threat === null ? 'Whatever is found' : threatLabel(row.threat);
  if (row.status === 'approved' && row.expires_at !== null) {
    return `${what}, until ${formatTime(row.expires_at)}`;
  }
  return `${what}, ${row.requested_minutes} minutes, ${requestedAt}`;
}
