import type { DashboardRequest } from '@csg/shared/contract';
import { Button, Card, Checkbox, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { StateBadge } from '../../components/badges.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { RequestContextLine } from './request-context.tsx';
import { lookOf } from './request-looks.tsx';

/** A request with its requester, justification, state and actions. */
export function RequestCard(props: {
  readonly request: DashboardRequest;
  readonly isAdmin: boolean;
  readonly isMember: boolean;
  /** Says the kind, in a list of all kinds. */
  readonly showsKind: boolean;
  /** Undefined if the user cannot decide the request; the note says why. */
  readonly onDecide: ((decision: 'approve' | 'deny') => void) | undefined;
  /** Given if the request can be decided together with others. */
  readonly selected?: boolean;
  readonly onSelect?: () => void;
  readonly cancel: () => Promise<unknown>;
}) {
  const { request, onDecide } = props;
  const look = lookOf(request);
  const isPending = request.status === 'pending';
  const requester = look.requester?.(request) ?? request.person ?? request.requester;
  const withdrawal = withdrawalOf(request, props.isMember, look.revoked);
  return (
    <Card padding="md">
      <Group justify="space-between" align="flex-start" gap="md">
        <div style={{ flex: '1 1 18rem', minWidth: 0 }}>
          <Group gap="sm" mb={4}>
            {props.onSelect && (
              <Checkbox
                aria-label={`Select request of ${requester}`}
                checked={props.selected === true}
                onChange={props.onSelect}
              />
            )}
            <StateBadge state={request.status} />
            <Text fw={600} style={{ overflowWrap: 'anywhere' }} component="div">
              {look.title(request)}
            </Text>
            {props.showsKind && (
              <Text size="sm" c="dimmed">
                {look.name}
              </Text>
            )}
          </Group>
          <Text size="sm">
            Requested by {requester} <TimeAgo at={request.created_at} />
            {isPending && request.pending_until != null && <Ends at={request.pending_until} />}
            {request.status === 'approved' && request.expires_at !== null && <Ends at={request.expires_at} />}
          </Text>
          {request.justification !== null && request.justification !== '' && (
            <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
              “{request.justification}”
            </Text>
          )}
          <RequestContextLine context={request} hidesPerson={look.requester === undefined} />
          {look.details(request)}
          <DecisionText request={request} />
        </div>
        <Group gap="xs">
          {isPending && onDecide !== undefined && (
            <>
              <Button
                size="xs"
                color="teal.9"
                leftSection={<IconCheck size={14} />}
                onClick={() => onDecide('approve')}
              >
                Approve
              </Button>
              <Button
                size="xs"
                color="red"
                variant="light"
                leftSection={<IconX size={14} />}
                onClick={() => onDecide('deny')}
              >
                Deny
              </Button>
            </>
          )}
          {withdrawal && (
            <ConfirmButton
              size="xs"
              color="gray"
              variant="default"
              title={withdrawal.label}
              confirm={withdrawal.label}
              {...withdrawal}
              action={props.cancel}
            />
          )}
        </Group>
      </Group>
      {isPending && (request.is_own || !props.isAdmin) && (
        <Text size="xs" c="dimmed" mt={6}>
          {request.is_own
            ? 'You submitted this request. Another admin of this organization must decide.'
            : 'An admin must decide.'}
        </Text>
      )}
    </Card>
  );
}

function Ends({ at }: { readonly at: string }) {
  return (
    <Text span c="dimmed">
      {' '}
      · Expires <TimeAgo at={at} />
    </Text>
  );
}

function DecisionText({ request }: { readonly request: DashboardRequest }) {
  const { status, decider, decided_at: decidedAt, decision_reason: reason } = request;
  if (decidedAt === null) {
    return status === 'expired' ? (
      <Text size="sm" c="dimmed" mt={4}>
        Expired without a decision.
      </Text>
    ) : null;
  }
  if (status === 'pending') return null;
  return (
    <Text size="sm" c="dimmed" mt={4}>
      {decisionLabel(status)} by {decider ?? 'the service'} <TimeAgo at={decidedAt} />
      {reason === null ? '' : `: ${reason}`}
    </Text>
  );
}

function decisionLabel(status: DashboardRequest['status']): string {
  if (status === 'approved' || status === 'expired' || status === 'used') return 'Approved';
  return status === 'denied' ? 'Denied' : 'Cancelled';
}

/** Returns how the requester or a member can cancel the request; undefined if it has ended or is not cancelled. */
function withdrawalOf(
  { status, is_own: isOwn }: DashboardRequest,
  isMember: boolean,
  revoked: string | undefined,
) {
  if (revoked === undefined || (!isOwn && !isMember)) return undefined;
  if (status === 'approved') return { label: 'Revoke', effect: revoked, dismiss: 'Cancel' };
  if (status !== 'pending') return undefined;
  const effect = 'The request is no longer pending, and nothing changes.';
  return { label: 'Cancel request', effect, dismiss: 'Keep request' };
}
