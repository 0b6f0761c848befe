import type { DashboardRequest, DecideMany, ManyDecided } from '@csg/shared/contract';
import { visibleText } from '@csg/shared/text';
import { Alert, Button, Card, Checkbox, Group, List, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { DecideModal, type Decision } from './decide-modal.tsx';
import { lookOf } from './request-looks.tsx';
import { DECISION_PATHS } from './request-paths.ts';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  toggle(id: string): void;
}

/** Lets the user select pending requests of a list that they may decide, and decide them together. */
export function DecideManyBar(props: {
  /** Requests that can be selected. */
  readonly selectable: readonly DashboardRequest[];
  readonly children: (selection: Selection) => ReactNode;
}) {
  const { selectable } = props;
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [decision, setDecision] = useState<Decision['decision'] | null>(null);
  const [failed, setFailed] = useState<ManyDecided['failed']>([]);
  const selected = selectable.filter(({ id }) => ids.has(id));
  const decide = useApiMutation(
    (body: DecideMany) => callApi<ManyDecided>('POST', '/approvals/decisions', { body }),
    {
      refresh: DECISION_PATHS,
      quiet: true,
      successMessage: ({ decided }, body) =>
        `${countText(decided.length)} ${body.decision === 'approve' ? 'approved' : 'denied'}.`,
    },
  );
  const selection: Selection = {
    ids,
    toggle: (id) => setIds(new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])),
  };
  return (
    <>
      {failed.length > 0 && (
        <Alert
          color="red"
          title="Some requests were not decided"
          withCloseButton
          onClose={() => setFailed([])}
        >
          <List size="sm">
            {failed.map(({ id, message }) => (
              <List.Item key={id}>{message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {selectable.length > 1 && (
        <Card padding="xs">
          <Group justify="space-between" gap="xs">
            <Checkbox
              label={
                selected.length === 0 ? 'Select all' : `${selected.length} of ${selectable.length} selected`
              }
              checked={selected.length === selectable.length}
              indeterminate={selected.length > 0 && selected.length < selectable.length}
              onChange={() => setIds(new Set(selected.length === 0 ? selectable.map(({ id }) => id) : []))}
            />
            {selected.length > 0 && (
              <Group gap="xs">
                <Button size="xs" color="teal.9" onClick={() => setDecision('approve')}>
                  Approve selected
                </Button>
                <Button size="xs" color="red" variant="light" onClick={() => setDecision('deny')}>
                  Deny selected
                </Button>
              </Group>
            )}
          </Group>
        </Card>
      )}
      {props.children(selection)}
      {decision !== null && (
        <DecideModal
          decision={decision}
          title={`${decision === 'approve' ? 'Approve' : 'Deny'} ${countText(selected.length)}`}
          effect={
            <>
              <Text size="sm">
                {decision === 'approve' ? 'Each is approved as requested:' : 'Nothing changes for:'}
              </Text>
              <List size="sm">
                {selected.map((request) => (
                  <List.Item key={request.id} style={{ overflowWrap: 'anywhere' }}>
                    {titleOf(request)}
                  </List.Item>
                ))}
              </List>
            </>
          }
          pending={decide.isPending}
          error={decide.error}
          onDecide={({ decision: chosen, reason }) =>
            decide.mutate(
              {
                decision: chosen,
                ...(reason === undefined ? {} : { reason }),
                requests: selected.map(({ kind, id }) => ({ kind, id })),
              },
              {
                onSuccess: (result) => {
                  setDecision(null);
                  setIds(new Set());
                  setFailed(result.failed);
                },
              },
            )
          }
          onClose={() => setDecision(null)}
        />
      )}
    </>
  );
}

function titleOf(request: DashboardRequest): string {
  const who = lookOf(request).requester?.(request) ?? request.person ?? request.requester;
  const { arguments: given } = request.details as { readonly arguments?: object | null };
  return `${request.title}${given ? ` ${visibleText(JSON.stringify(given).slice(0, 120))}` : ''}, ${who}`;
}

function countText(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`;
}
