import { type DashboardProject, MCP_SERVER_NAME, type McpServerRecord } from '@csg/shared/contract';
import { Badge, Button, Card, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { McpTools } from './mcp-tools.tsx';

/** MCP servers that clients of the project reach through the gateway. */
export function McpServers(props: { readonly project: DashboardProject; readonly isReader: boolean }) {
  const { project, isReader } = props;
  const path = `/projects/${project.id}/mcp-servers`;
  const read = useApiQuery<McpServerRecord[]>(path);
  const [selected, setSelected] = useState<McpServerRecord | 'new' | null>(null);
  return (
    <Card>
      <Section
        title="MCP servers"
        about="Available at /api/v1/mcp/{name}. Tools are pinned when they are first listed; changes need approval."
      >
        <Loaded read={read} height={60}>
          {(servers) => (
            <Stack gap="sm">
              {servers.map((server) => (
                <Stack key={server.name} gap={4}>
                  <Group justify="space-between" wrap="nowrap">
                    <Group gap="sm">
                      <Text size="sm">{server.name}</Text>
                      {server.source === 'file' && <Badge color="gray">operator</Badge>}
                      <Text size="xs" c="dimmed">
                        {server.url}
                      </Text>
                    </Group>
                    {!isReader && server.source === 'project' && (
                      <Group gap={4} wrap="nowrap">
                        <Button size="compact-sm" variant="subtle" onClick={() => setSelected(server)}>
                          Replace
                        </Button>
                        <RemoveServer path={path} name={server.name} />
                      </Group>
                    )}
                  </Group>
                  <McpTools path={path} server={server} isReader={isReader} />
                </Stack>
              ))}
              {!isReader && (
                <Group>
                  <Button size="compact-sm" variant="subtle" onClick={() => setSelected('new')}>
                    Add an MCP server
                  </Button>
                </Group>
              )}
            </Stack>
          )}
        </Loaded>
      </Section>
      {selected && (
        <StoreServer
          path={path}
          server={selected === 'new' ? null : selected}
          onClose={() => setSelected(null)}
        />
      )}
    </Card>
  );
}

function RemoveServer(props: { readonly path: string; readonly name: string }) {
  const { path, name } = props;
  const remove = useApiMutation(() => callApi('DELETE', `${path}/${name}`), {
    refresh: [path],
    successMessage: 'MCP server removed.',
  });
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove the MCP server "${name}"`}
      effect="Clients can no longer reach it through the gateway. Its pinned tools are deleted."
      confirm="Remove server"
      action={() => remove.mutateAsync(undefined)}
      pending={remove.isPending}
      error={remove.error}
    />
  );
}

function StoreServer(props: {
  readonly path: string;
  readonly server: McpServerRecord | null;
  readonly onClose: () => void;
}) {
  const { path, server, onClose } = props;
  const form = useForm({
    initialValues: { name: server?.name ?? '', url: server?.url ?? '', headers: '' },
    validate: {
      name: (text) =>
        MCP_SERVER_NAME.test(text) ? null : 'Use letters, digits, dots, hyphens and underscores.',
      url: (text) => (text.trim() === '' ? 'Enter an address.' : null),
      headers: (text) => (headersIn(text) === null ? 'Enter one header per line, as Name: value.' : null),
    },
  });
  const store = useApiMutation(
    ({ name, url, headers }: { name: string; url: string; headers: string }) =>
      callApi('PUT', `${path}/${name}`, { body: { url, headers: headersIn(headers) ?? {} } }),
    { refresh: [path], quiet: true, successMessage: 'MCP server saved.' },
  );
  return (
    <FormModal
      opened
      onClose={onClose}
      title="MCP server"
      submit="Save server"
      pending={store.isPending}
      error={store.error}
      onSubmit={form.onSubmit((values) => store.mutate(values, { onSuccess: onClose }))}
    >
      <TextInput
        label="Name"
        description="Part of the address that clients use."
        disabled={server !== null}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Server URL"
        placeholder="https://mcp.example.com/mcp"
        {...form.getInputProps('url')}
      />
      <Textarea
        label="Headers"
        description="Sent to the server, one per line. Stored encrypted; saving replaces the stored headers."
        placeholder="Authorization: Bearer …"
        autosize
        minRows={2}
        {...form.getInputProps('headers')}
      />
    </FormModal>
  );
}

/** Returns null if a line is not a header. */
function headersIn(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line));
  if (pairs.some((pair) => pair === null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!]));
}
