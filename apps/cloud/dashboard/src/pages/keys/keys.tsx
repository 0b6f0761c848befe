import type { DashboardKey } from '@csg/shared/contract';
import { Badge, Button, Card, Code, Group, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { countOf, countText } from '../../data/format.ts';
import { useApiQuery } from '../../data/hooks.ts';
import { PERMISSION_LABELS } from '../../data/labels.ts';
import { isAtLeastSomewhere, useSession } from '../../data/session.ts';
import { CreateKey } from './create-key.tsx';
import { KeyActions } from './key-actions.tsx';

export function Keys() {
  const session = useSession();
  const read = useApiQuery<DashboardKey[]>('/keys');
  const [isCreating, { open, close }] = useDisclosure(false);
  const opener = useRef<HTMLButtonElement>(null);
  // The second dialog replaces the first, so neither can restore the focus to its opener.
  const closeDialog = () => {
    close();
    setTimeout(() => opener.current?.focus());
  };
  const canCreate = isAtLeastSomewhere(session, 'member');
  const create = canCreate ? (
    <Button ref={opener} leftSection={<IconPlus size={16} />} onClick={open}>
      Create an API key
    </Button>
  ) : null;
  return (
    <Page
      title="API keys"
      about={
        <>
          Applications send their API key in the <Code>X-API-Key</Code> header. A key belongs to a project,
          whose preset and policies apply to its requests.
        </>
      }
      actions={create}
    >
      <Card p={{ base: 'sm', sm: 'md' }}>
        <DataTable
          label="API keys"
          inSteps
          rows={read.data}
          rowKey={({ id }) => id}
          error={read.error}
          retry={() => read.refetch()}
          isDim={(key) => stateOf(key) !== 'active'}
          empty={
            <Empty icon={<IconKey size={22} />} title="No API keys yet" action={create}>
              Create one for each application, so that you can disable it separately.
            </Empty>
          }
          columns={[
            {
              title: 'Name',
              isName: true,
              sortBy: ({ name }) => name,
              cell: ({ name, prefix }) => (
                <>
                  <Text size="sm" fw={550}>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed" ff="monospace">
                    {prefix}…
                  </Text>
                </>
              ),
            },
            { title: 'State', cell: (key) => <KeyState record={key} />, sortBy: stateOf },
            {
              title: 'Project',
              cell: ({ project_name }) => project_name ?? 'All projects',
              sortBy: ({ project_name }) => project_name,
            },
            { title: 'Permissions', cell: ({ permissions }) => <Scopes permissions={permissions} /> },
            { title: 'Limits', wideOnly: true, cell: (key) => <Limits record={key} /> },
            {
              title: 'Created by',
              cell: ({ created_by }) => created_by ?? '–',
              sortBy: ({ created_by }) => created_by,
            },
            {
              title: 'Last used',
              cell: ({ last_used_at }) => <TimeAgo at={last_used_at} />,
              sortBy: ({ last_used_at }) => last_used_at,
            },
            {
              title: 'Created',
              wideOnly: true,
              cell: ({ created_at }) => <TimeAgo at={created_at} />,
              sortBy: ({ created_at }) => created_at,
            },
            {
              title: 'Actions',
              hideTitle: true,
              align: 'right',
              cell: (key) => (key.can_manage ? <KeyActions record={key} /> : null),
            },
          ]}
        />
      </Card>
      <CreateKey opened={isCreating} onClose={closeDialog} />
    </Page>
  );
}

function stateOf({ is_active, expires_at }: DashboardKey): 'active' | 'disabled' | 'expired' {
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired';
  return is_active ? 'active' : 'disabled';
}

function KeyState(props: { readonly record: DashboardKey }) {
  const state = stateOf(props.record);
  return (
    <Group gap={6}>
      <Badge color={state === 'active' ? 'teal' : 'gray'}>{state}</Badge>
      {state !== 'expired' && props.record.expires_at !== null && (
        <Text size="xs" c="dimmed">
          expires <TimeAgo at={props.record.expires_at} />
        </Text>
      )}
    </Group>
  );
}

function Scopes(props: { readonly permissions: DashboardKey['permissions'] }) {
  const { permissions } = props;
  if (permissions.length === 0) return 'Full access';
  if (permissions.length <= 2) return permissions.join(', ');
  return (
    <Tooltip multiline label={permissions.map((name) => PERMISSION_LABELS[name]).join(' · ')} maw={280}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip also opens on focus */}
      <span tabIndex={0}>{countOf(permissions.length, 'permission')}</span>
    </Tooltip>
  );
}

function Limits(props: { readonly record: DashboardKey }) {
  const { allowed_models: models, daily_token_limit: tokens } = props.record;
  return (
    <Text size="xs">
      {models.length > 0 && models.join(', ')}
      {models.length > 0 && tokens !== null && ' · '}
      {tokens !== null && `${countText(tokens)} tokens per day`}
    </Text>
  );
}
