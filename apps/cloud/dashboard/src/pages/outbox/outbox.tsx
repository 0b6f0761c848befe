import type { EmailList, EmailRecord } from '@csg/shared/contract';
import { Alert, Anchor, Button, Card, Code, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconMailbox } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { StateBadge } from '../../components/badges.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorAlert } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { type ApiError, callApi } from '../../data/api.ts';
import { timeText } from '../../data/format.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

/** Emails of this organization: queued for sending, or only stored here if no SMTP server is configured. */
export function Outbox() {
  const [opened, setOpened] = useState<string | null>(null);
  const read = useInfiniteQuery<EmailList, ApiError>({
    queryKey: ['/mails'],
    queryFn: ({ pageParam, signal }) =>
      callApi<EmailList>('GET', '/mails', { query: { before: pageParam as string }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  });
  const isUnsent = read.data?.pages[0]?.delivery === 'outbox';
  const emails = read.data?.pages.flatMap((page) => page.mails);
  return (
    <Page title="Outbox" about="Outgoing email of this organization: invitations, links and alerts.">
      {isUnsent && (
        <Alert color="blue" title="No SMTP server configured">
          Emails are stored here so that you can read and forward them. Set <Code>SMTP_URL</Code> to send
          them.
        </Alert>
      )}
      <Card p={{ base: 'sm', sm: 'md' }}>
        <DataTable<EmailRecord>
          label="Emails"
          rows={emails}
          rowKey={({ id }) => id}
          error={read.error}
          retry={() => read.refetch()}
          onOpen={({ id }) => setOpened(id)}
          empty={
            <Empty icon={<IconMailbox size={22} />} title="No emails yet">
              When you invite a member, the email appears here.
            </Empty>
          }
          columns={[
            {
              title: 'Subject',
              isName: true,
              cell: ({ id, subject }) => (
                <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setOpened(id)}>
                  {subject}
                </Anchor>
              ),
            },
            { title: 'To', cell: ({ to }) => to },
            {
              title: 'State',
              cell: ({ status }) => (
                <StateBadge state={isUnsent && status === 'waiting' ? 'unsent' : status} />
              ),
            },
            { title: 'Attempts', wideOnly: true, align: 'right', cell: ({ attempts }) => attempts },
            { title: 'Last error', wideOnly: true, cell: ({ last_error }) => last_error ?? '–' },
            { title: 'Created', cell: ({ created_at }) => <TimeAgo at={created_at} /> },
          ]}
        />
        {read.hasNextPage && (
          <Group justify="center" mt="md">
            <Button variant="default" onClick={() => read.fetchNextPage()} loading={read.isFetchingNextPage}>
              Show older emails
            </Button>
          </Group>
        )}
      </Card>
      {opened !== null && <EmailDialog id={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

function EmailDialog(props: { readonly id: string; readonly onClose: () => void }) {
  const read = useApiQuery<EmailRecord & { readonly text: string | null }>(`/mails/${props.id}`);
  const retry = useApiMutation(() => callApi('POST', `/mails/${props.id}/retry`), {
    refresh: ['/mails'],
    successMessage: 'Email queued for sending.',
    quiet: true,
  });
  const email = read.data;
  return (
    <Modal opened onClose={props.onClose} title={email?.subject ?? 'Email'} size="lg">
      {email === undefined ? (
        read.error ? (
          <ErrorAlert error={read.error} />
        ) : (
          <Skeleton height={180} />
        )
      ) : (
        <Stack>
          <Text size="sm" c="dimmed">
            To {email.to}, created {timeText(email.created_at)}
            {email.sent_at !== null && `, sent ${timeText(email.sent_at)}`}
          </Text>
          {email.last_error !== null && <Alert color="red">{email.last_error}</Alert>}
          {email.text === null ? (
            <Text size="sm">The text is deleted after sending, because its link grants access.</Text>
          ) : (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              <Linked text={email.text} />
            </Text>
          )}
          {retry.error && <ErrorAlert error={retry.error} />}
          {email.status === 'failed' && (
            <Group justify="flex-end">
              <Button onClick={() => retry.mutate(undefined)} loading={retry.isPending}>
                Send again
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Modal>
  );
}

/** Emails contain one URL, which becomes a link; everything else stays text. */
function Linked(props: { readonly text: string }) {
  const parts = props.text.split(/(https?:\/\/\S+)/);
  return parts.map((part, index) =>
    /^https?:\/\//.test(part) ? (
      <Anchor key={part} href={part} inherit>
        {part}
      </Anchor>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that does not change
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
