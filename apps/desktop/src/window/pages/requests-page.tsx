import { Badge, Button, Card, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { AgentRequests } from '../../agent/control/control-messages.ts';
import { threatLabel } from '../../bridge/threat-label.ts';
import { invoke } from '../bridge.ts';
import { Empty } from '../components/empty.tsx';
import { ErrorAlert, Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { formatTime } from '../format-time.ts';
import { useBridgeQuery } from '../use-bridge-query.ts';

type Row = AgentRequests['exceptions'][number] | AgentRequests['tool_requests'][number];

const STATES = {
  pending: { color: 'yellow', label: 'Pending' },
  approved: { color: 'teal', label: 'Approved' },
  denied: { color: 'red', label: 'Denied' },
  cancelled: { color: 'gray', label: 'Cancelled' },
  expired: { color: 'gray', label: 'Expired' },
} as const;

/** `decided` increments with every decision, which triggers a refetch. */
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
      about="Requests from this computer and their status."
      action={
        <Group gap="xs" wrap="nowrap">
          <Button size="xs" variant="default" component="a" href="#/requests/new?kind=tool">
            Request tool
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
      <Empty title="No requests yet">
        If something you need was blocked, request an exception. An administrator approves it for a limited
        time, or denies it with a reason.
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
  const cancelLabel = row.status === 'pending' ? 'Cancel' : 'Revoke';
  return (
    <Group justify="space-between" px="md" py="sm" wrap="nowrap">
      <div>
        <Text size="sm" fw={550}>
          {isException ? `Exception for ${host}` : `AI tool ${host}`}
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
            aria-label={`${cancelLabel} the request for ${host}`}
          >
            {cancelLabel}
          </Button>
        )}
      </Group>
    </Group>
  );
}

function detailOf(row: Row): string {
  const requestedAt = `requested ${formatTime(row.created_at)}`;
  if (!('destination_host' in row)) return requestedAt;
  const rest = row.all_findings === false ? 'Attacks' : 'All findings';
  const what = row.threat === null ? rest : threatLabel(row.threat);
  if (row.status === 'approved' && row.expires_at !== null) {
    return `${what}, until ${formatTime(row.expires_at)}`;
  }
  return `${what}, ${row.requested_minutes} minutes, ${requestedAt}`;
}
