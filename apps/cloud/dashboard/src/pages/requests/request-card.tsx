import { Button, Card, Checkbox, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StateBadge } from '../../components/badges.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';

export interface RequestFacts {
  readonly status: string;
  readonly requester: string;
  readonly justification?: string | null;
  readonly created_at: string;
  /** When a pending request expires undecided. */
  readonly pending_until?: string | null;
  readonly decider: string | null;
  readonly decided_at: string | null;
  readonly decision_reason: string | null;
}

/** A request with its requester, justification, state and actions. */
export function RequestCard(props: {
  readonly title: ReactNode;
  readonly facts: RequestFacts;
  readonly details?: ReactNode;
  /** Undefined if the user cannot decide the request; the note says why. */
  readonly onDecide?: ((decision: 'approve' | 'deny') => void) | undefined;
  readonly note?: string | undefined;
  /** Given if the request can be decided together with others. */
  readonly selected?: boolean;
  readonly onSelect?: () => void;
  readonly cancel?:
    | {
        readonly label: string;
        readonly effect: string;
        readonly dismiss?: string;
        action(): Promise<unknown>;
      }
    | undefined;
}) {
  const { facts } = props;
  const isPending = facts.status === 'pending';
  return (
    <Card padding="md">
      <Group justify="space-between" align="flex-start" gap="md">
        <div style={{ flex: '1 1 18rem', minWidth: 0 }}>
          <Group gap="sm" mb={4}>
            {props.onSelect && (
              <Checkbox
                aria-label={`Select request of ${facts.requester}`}
                checked={props.selected === true}
                onChange={props.onSelect}
              />
            )}
            <StateBadge state={facts.status} />
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {props.title}
            </Text>
          </Group>
          <Text size="sm">
            Requested by {facts.requester} <TimeAgo at={facts.created_at} />
            {isPending && facts.pending_until != null && (
              <Text span c="dimmed">
                {' '}
                · Expires <TimeAgo at={facts.pending_until} />
              </Text>
            )}
          </Text>
          {facts.justification != null && facts.justification !== '' && (
            <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
              “{facts.justification}”
            </Text>
          )}
          {props.details}
          {facts.status === 'expired' && facts.decided_at === null && (
            <Text size="sm" c="dimmed" mt={4}>
              Expired without a decision.
            </Text>
          )}
          {!isPending && facts.decided_at !== null && (
            <Text size="sm" c="dimmed" mt={4}>
              {decisionLabel(facts.status)} by {facts.decider ?? 'the service'}{' '}
              <TimeAgo at={facts.decided_at} />
              {facts.decision_reason === null ? '' : `: ${facts.decision_reason}`}
            </Text>
          )}
        </div>
        <Group gap="xs">
          {isPending && props.onDecide !== undefined && (
            <>
              <Button
                size="xs"
                color="teal.9"
                leftSection={<IconCheck size={14} />}
                onClick={() => props.onDecide?.('approve')}
              >
                Approve
              </Button>
              <Button
                size="xs"
                color="red"
                variant="light"
                leftSection={<IconX size={14} />}
                onClick={() => props.onDecide?.('deny')}
              >
                Deny
              </Button>
            </>
          )}
          {props.cancel && (
            <ConfirmButton
              size="xs"
              color="gray"
              variant="default"
              label={props.cancel.label}
              title={props.cancel.label}
              effect={props.cancel.effect}
              confirm={props.cancel.label}
              {...(props.cancel.dismiss === undefined ? {} : { dismiss: props.cancel.dismiss })}
              action={props.cancel.action}
            />
          )}
        </Group>
      </Group>
      {isPending && props.note !== undefined && (
        <Text size="xs" c="dimmed" mt={6}>
          {props.note}
        </Text>
      )}
    </Card>
  );
}

function decisionLabel(status: string): string {
  if (status === 'approved' || status === 'expired' || status === 'used') return 'Approved';
  return status === 'denied' ? 'Denied' : 'Cancelled';
}

/** Returns whether an admin can decide the request; their own requests need another person. */
export function isUndecided(request: { readonly status: string; readonly is_own: boolean }): boolean {
  return request.status === 'pending' && !request.is_own;
}

/** Returns how the requester or a member of the project can cancel the request; undefined if it has ended. */
export function withdrawalOf(
  request: { readonly status: string; readonly is_own: boolean },
  isMember: boolean,
  revoke: { readonly effect: string; readonly action: () => Promise<unknown> },
) {
  if (!request.is_own && !isMember) return undefined;
  if (request.status === 'approved') return { ...revoke, label: 'Revoke', dismiss: 'Cancel' };
  if (request.status !== 'pending') return undefined;
  const effect = 'The request is no longer pending, and nothing changes.';
  return { label: 'Cancel request', effect, dismiss: 'Keep request', action: revoke.action };
}
