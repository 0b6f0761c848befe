import type { OwnSession } from '@csg/shared/contract';
import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { browserLabel } from './browser-label.ts';

/** Where one is signed in; each can be ended from here. */
export function OwnSessions() {
  const read = useApiQuery<OwnSession[]>('/account/sessions');
  const refresh = ['/account/sessions'];
  const end = useApiMutation((id: string) => callApi('DELETE', `/account/sessions/${id}`), {
    refresh,
    successMessage: 'That session is ended.',
  });
  const endOthers = useApiMutation(() => callApi('DELETE', '/account/sessions'), {
    refresh,
    successMessage: 'All other sessions are ended.',
  });
  return (
    <Card>
      <Section
        title="Where you are signed in"
        actions={
          (read.data?.length ?? 0) > 1 ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => endOthers.mutate(undefined)}
              loading={endOthers.isPending}
            >
              End all others
            </Button>
          ) : null
        }
      >
        <Loaded read={read} height={110}>
          {(sessions) => (
            <Stack gap="sm">
              {sessions.map((session) => (
                <Group key={session.id} justify="space-between" wrap="nowrap">
                  <div style={{ minWidth: 0 }}>
                    <Group gap={6}>
                      <Text size="sm">{browserLabel(session.user_agent)}</Text>
                      {session.is_this && <Badge color="teal">this one</Badge>}
                    </Group>
                    <Text size="xs" c="dimmed">
                      {session.address}, seen <TimeAgo at={session.last_seen_at} />, signed in{' '}
                      <TimeAgo at={session.created_at} />
                    </Text>
                  </div>
                  {!session.is_this && (
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="gray"
                      onClick={() => end.mutate(session.id)}
                    >
                      End it
                    </Button>
                  )}
                </Group>
              ))}
            </Stack>
          )}
        </Loaded>
      </Section>
    </Card>
  );
}
