import type { SavedFilterRecord } from '@csg/shared/contract';
import { ActionIcon, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell, IconBookmark, IconDownload, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { AddAlert } from './add-alert.tsx';
import { readFilter, readOrder } from './event-filters.tsx';

/** Export, saved filters and alerts of the listed events. */
export function EventActions(props: {
  readonly params: URLSearchParams;
  readonly onChange: (params: URLSearchParams) => void;
}) {
  const isAdmin = isAtLeast(useSession(), 'admin');
  const [isAdding, { open, close }] = useDisclosure(false);
  const exportUrl = (format: string) =>
    `/dashboard/events?${new URLSearchParams({ ...readFilter(props.params), ...readOrder(props.params), format })}`;
  return (
    <Group gap="xs">
      <SavedFilters {...props} />
      {isAdmin && (
        <Button variant="default" size="xs" leftSection={<IconBell size={14} />} onClick={open}>
          Alert
        </Button>
      )}
      {isAdding && <AddAlert params={props.params} onClose={close} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="xs" leftSection={<IconDownload size={14} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={exportUrl('csv')} download>
            CSV
          </Menu.Item>
          <Menu.Item component="a" href={exportUrl('jsonl')} download>
            JSON lines
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

function SavedFilters(props: {
  readonly params: URLSearchParams;
  readonly onChange: (params: URLSearchParams) => void;
}) {
  const [name, setName] = useState('');
  const read = useApiQuery<SavedFilterRecord[]>('/saved-filters');
  const refresh = ['/saved-filters'];
  const query = props.params.toString();
  const save = useApiMutation(() => callApi('POST', '/saved-filters', { body: { name, query } }), {
    refresh,
    successMessage: 'Filter saved.',
  });
  const remove = useApiMutation((id: string) => callApi('DELETE', `/saved-filters/${id}`), { refresh });
  return (
    <Menu position="bottom-end" width={280} closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconBookmark size={14} />}>
          Saved filters
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(read.data ?? []).map((filter) => (
          <Group key={filter.id} gap={4} wrap="nowrap">
            <Menu.Item onClick={() => props.onChange(new URLSearchParams(filter.query))}>
              {filter.name}
            </Menu.Item>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Delete filter ${filter.name}`}
              onClick={() => remove.mutate(filter.id)}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </Group>
        ))}
        {read.data?.length === 0 && (
          <Text size="xs" c="dimmed" p="xs">
            No saved filters
          </Text>
        )}
        <Menu.Divider />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(undefined, { onSuccess: () => setName('') });
          }}
        >
          <Stack gap={6} p={6}>
            <TextInput
              size="xs"
              label="Save the current filters as"
              maxLength={80}
              required
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button size="xs" type="submit" loading={save.isPending} disabled={query === ''}>
              Save
            </Button>
          </Stack>
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}
