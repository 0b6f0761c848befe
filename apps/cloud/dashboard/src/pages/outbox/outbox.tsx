import type { MailList, MailRecord } from '@csg/shared/contract';
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

/** Mails of this organization: on their way, or kept here where no mail server is set. */
export function Outbox() {
  const [opened, setOpened] = useState<string | null>(null);
  const read = useInfiniteQuery<MailList, ApiError>({
    queryKey: ['/mails'],
    queryFn: ({ pageParam, signal }) =>
      callApi<MailList>('GET', '/mails', { query: { before: pageParam as string }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  });
  const isUnsent = read.data?.pages[0]?.delivery === 'outbox';
  const emails = read.data?.pages.flatMap((page) => page.mails);
  return (
    <Page title="Outbox" about="Mails that this organization causes: invitations, links, alerts.">
      {isUnsent && (
        <Alert color="blue" title="No mail server is set">
          Mails are kept here for you to read and hand on. Set <Code>SMTP_URL</Code> to have them sent.
        </Alert>
      )}
      <Card p={{ base: 'sm', sm: 'md' }}>
        <DataTable<MailRecord>
          label="Mails"
          rows={emails}
          rowKey={({ id }) => id}
          error={read.error}
          retry={() => read.refetch()}
          onOpen={({ id }) => setOpened(id)}
          empty={
            <Empty icon={<IconMailbox size={22} />} title="No mail yet">
              Invite somebody, and the mail appears here.
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
              cell: ({ status }) => <StateBadge state={isUnsent && status === 'waiting' ? 'kept' : status} />,
            },
            { title: 'Tries', wideOnly: true, align: 'right', cell: ({ attempts }) => attempts },
            { title: 'Last error', wideOnly: true, cell: ({ last_error }) => last_error ?? '–' },
            { title: 'Made', cell: ({ created_at }) => <TimeAgo at={created_at} /> },
          ]}
        />
        {read.hasNextPage && (
          <Group justify="center" mt="md">
            <Button variant="default" onClick={() => read.fetchNextPage()} loading={read.isFetchingNextPage}>
              Show older mails
            </Button>
          </Group>
        )}
      </Card>
      {opened !== null && <EmailDialog id={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

function EmailDialog(props: { readonly id: string; readonly onClose: () => void }) {
  const read = useApiQuery<MailRecord & { readonly text: string | null }>(`/mails/${props.id}`);
  const retry = useApiMutation(() => callApi('POST', `/mails/${props.id}/retry`), {
    refresh: ['/mails'],
    successMessage: 'It is tried again.',
    quiet: true,
  });
  const email = read.data;
  return (
    <Modal opened onClose={props.onClose} title={email?.subject ?? 'Mail'} size="lg">
      {email === undefined ? (
        read.error ? (
          <ErrorAlert error={read.error} />
        ) : (
          <Skeleton height={180} />
        )
      ) : (
        <Stack>
          <Text size="sm" c="dimmed">
            To {email.to}, made {timeText(email.created_at)}
            {email.sent_at !== null && `, sent ${timeText(email.sent_at)}`}
          </Text>
          {email.last_error !== null && <Alert color="red">{email.last_error}</Alert>}
          {email.text === null ? (
            <Text size="sm">The text is not kept once it was sent: its link would let others in.</Text>
          ) : (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              <Linked text={email.text} />
            </Text>
          )}
          {retry.error && <ErrorAlert error={retry.error} />}
          {email.status === 'failed' && (
            <Group justify="flex-end">
              <Button onClick={() => retry.mutate(undefined)} loading={retry.isPending}>
                Try it again
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Modal>
  );
}

/** Our own mails carry one address; it is made a link, everything else stays text. */
function Linked(props: { readonly text: string }) {
  const parts = props.text.split(/(https?:\/\/\S+)/);
  return parts.map((part, index) =>
    /^https?:\/\//.test(part) ? (
      <Anchor key={part} href={part} inherit>
        {part}
      </Anchor>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text that does not change
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
