import { Badge, Button, Card, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { AgentRequests } from '../../agent/control/control-messages.ts';
import { threatWords } from '../../bridge/threat-words.ts';
import { ask } from '../bridge.ts';
import { formatTime } from '../format-time.ts';
import { Empty } from '../parts/empty.tsx';
import { Fault, Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { useRead } from '../use-read.ts';

type Row = AgentRequests['exceptions'][number] | AgentRequests['tool_requests'][number];

const STATES = {
  pending: { color: 'yellow', word: 'Waiting' },
  approved: { color: 'teal', word: 'Approved' },
  denied: { color: 'red', word: 'Denied' },
  cancelled: { color: 'gray', word: 'Withdrawn' },
  expired: { color: 'gray', word: 'Ended' },
} as const;

/** `decided` grows with every decision: then it is read again. */
export function RequestsPage(props: { readonly decided: number }) {
  const [read, again] = useRead(() => ask('requests'), props.decided);
  const [fault, setFault] = useState<string | null>(null);
  const cancel = (id: string): void => {
    ask('cancel-request', { id })
      .then(
        () => setFault(null),
        (error: Error) => setFault(error.message),
      )
      .finally(again);
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
      {fault !== null && <Fault sentence={fault} />}
      <Loaded read={read}>{(requests) => <Rows rows={inOrder(requests)} onCancel={cancel} />}</Loaded>
    </Page>
  );
}

function inOrder({ exceptions, tool_requests }: AgentRequests): readonly Row[] {
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
  const { color, word } = STATES[row.status];
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
        <Badge color={color}>{word}</Badge>
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
  const asked = `asked ${formatTime(row.created_at)}`;
  if (!('destination_host' in row)) return asked;
  const what = row.threat === null ? 'Whatever is found' : threatWords(row.threat);
  if (row.status === 'approved' && row.expires_at !== null) {
    return `${what}, until ${formatTime(row.expires_at)}`;
  }
  return `${what}, ${row.requested_minutes} minutes, ${asked}`;
}
