import type { McpServerRecord, McpToolRecord } from '@csg/shared/contract';
import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';

/** The tools of a server: the number of pinned ones, and the pending ones with their changes. */
export function McpTools(props: {
  readonly path: string;
  readonly server: McpServerRecord;
  readonly isReader: boolean;
}) {
  const { path, server, isReader } = props;
  const pending = server.tools.filter(({ proposed }) => proposed !== null);
  return (
    <Stack gap="xs" pl="md">
      <Text size="xs" c="dimmed">
        {server.tools.length === 0
          ? 'No tools listed yet.'
          : `${server.tools.filter(({ pinned }) => pinned !== null).length} tools pinned.`}
      </Text>
      {pending.map((tool) => (
        <PendingTool key={tool.name} path={`${path}/${server.name}`} tool={tool} isReader={isReader} />
      ))}
    </Stack>
  );
}

function PendingTool(props: {
  readonly path: string;
  readonly tool: McpToolRecord;
  readonly isReader: boolean;
}) {
  const { path, tool, isReader } = props;
  const decide = useApiMutation(
    (decision: 'approve' | 'deny') =>
      callApi('POST', `${path}/decision`, {
        body: { tool: tool.name, decision, proposed_digest: tool.proposed_digest },
      }),
    { refresh: [path.slice(0, path.lastIndexOf('/'))], successMessage: 'Decision saved.' },
  );
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="sm">
          <Text size="sm">{tool.name}</Text>
          <Badge color={tool.status === 'withheld' ? 'red' : 'yellow'}>{tool.status}</Badge>
        </Group>
        {!isReader && (
          <Group gap={4} wrap="nowrap">
            <Button
              size="compact-sm"
              variant="subtle"
              loading={decide.isPending}
              aria-label={`Approve ${tool.name}`}
              onClick={() => decide.mutate('approve')}
            >
              Approve
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              loading={decide.isPending}
              aria-label={`Deny ${tool.name}`}
              onClick={() => decide.mutate('deny')}
            >
              Deny
            </Button>
          </Group>
        )}
      </Group>
      <Code block>
        {differences(tool).map(({ sign, line }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move.
          <Text key={index} span inherit c={sign === '+' ? 'teal' : sign === '-' ? 'red' : undefined}>
            {`${sign} ${line}\n`}
          </Text>
        ))}
      </Code>
    </Stack>
  );
}

interface Difference {
  readonly sign: '+' | '-' | ' ';
  readonly line: string;
}

/** Returns the lines that only the pinned definition has, then the proposed definition with its new lines marked. */
function differences({ pinned, proposed }: McpToolRecord): Difference[] {
  const before = pinned === null ? [] : linesOf(pinned);
  const after = linesOf(proposed);
  const [had, has] = [new Set(before), new Set(after)];
  const removed = before.filter((line) => !has.has(line));
  return [
    ...removed.map((line): Difference => ({ sign: '-', line })),
    ...after.map((line): Difference => ({ sign: had.has(line) ? ' ' : '+', line })),
  ];
}

const linesOf = (value: unknown): string[] => JSON.stringify(value, null, 2).split('\n');
