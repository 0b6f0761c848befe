import type { OwnSession } from '@csg/shared/contract';
import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { browserLabel } from './browser-label.ts';

/** The user's sessions, each with a button to end it. */
export function OwnSessions() {
  const read = useApiQuery<OwnSession[]>('/account/sessions');
  const refresh = ['/account/sessions'];
  const end = useApiMutation((id: string) => callApi('DELETE', `/account/sessions/${id}`), {
    refresh,
    successMessage: 'Session ended.',
  });
  const endOthers = useApiMutation(() => callApi('DELETE', '/account/sessions'), {
    refresh,
    successMessage: 'All other sessions ended.',
  });
  return (
    <Card>
      <Section
        title="Active sessions"
        actions={
          (read.data?.length ?? 0) > 1 ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => endOthers.mutate(undefined)}
              loading={endOthers.isPending}
            >
              End other sessions
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
                      {session.is_this && <Badge color="teal">this session</Badge>}
                    </Group>
                    <Text size="xs" c="dimmed">
                      {session.address}, last active <TimeAgo at={session.last_seen_at} />, signed in{' '}
                      <TimeAgo at={session.created_at} />
                    </Text>
                  </div>
                  {!session.is_this && (
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="gray"
                      style={{ flexShrink: 0 }}
                      onClick={() => end.mutate(session.id)}
                    >
                      End session
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
