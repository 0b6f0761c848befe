import type { PendingCounts } from '@csg/shared/contract';
import { Badge, Button, Tabs } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from 'react-router';
import { Page } from '../../components/page.tsx';
import { useApiQuery } from '../../data/hooks.ts';
import { ExceptionList } from './exception-list.tsx';
import { TextList } from './text-list.tsx';
import { ToolCallList } from './tool-call-list.tsx';
import { ToolRequestList } from './tool-request-list.tsx';

/** Requests of people and agents that an admin decides. */
export function Requests() {
  const { tab = 'exceptions' } = useParams();
  const navigate = useNavigate();
  const { data } = useApiQuery<PendingCounts>('/approvals/waiting');
  const badge = (count: number | undefined) =>
    count ? (
      <Badge size="sm" color="red.9" variant="filled" circle={count < 10}>
        {count}
      </Badge>
    ) : null;
  return (
    <Page
      title="Requests"
      about="Another person approves each request. Approvals are limited in scope, and exceptions expire automatically."
      actions={
        <Button component={Link} to="/requests/new" variant="light" leftSection={<IconPlus size={16} />}>
          Request an exception
        </Button>
      }
    >
      <Tabs
        value={tab}
        onChange={(value) => navigate(value === 'exceptions' ? '/requests' : `/requests/${value}`)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="exceptions" rightSection={badge(data?.exceptions)}>
            Exceptions
          </Tabs.Tab>
          <Tabs.Tab value="ai-tools" rightSection={badge(data?.tool_requests)}>
            AI tools
          </Tabs.Tab>
          <Tabs.Tab value="tool-calls" rightSection={badge(data?.tool_reviews)}>
            Agent tool calls
          </Tabs.Tab>
          <Tabs.Tab value="texts" rightSection={badge(data?.texts)}>
            Texts
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="exceptions">
          <ExceptionList />
        </Tabs.Panel>
        <Tabs.Panel value="ai-tools">
          <ToolRequestList />
        </Tabs.Panel>
        <Tabs.Panel value="tool-calls">
          <ToolCallList />
        </Tabs.Panel>
        <Tabs.Panel value="texts">
          <TextList />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
