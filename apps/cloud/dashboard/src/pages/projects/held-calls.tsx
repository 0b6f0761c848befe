import type { HeldCalls as Held } from '@csg/shared/contract';
import { Card, Stack, Table, Text } from '@mantine/core';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { countOf } from '../../data/format.ts';
import { useApiQuery } from '../../data/hooks.ts';

/** The tool calls that flow control found in the last days, by tool. */
export function HeldCalls(props: { readonly projectId: string }) {
  const read = useApiQuery<Held>(`/projects/${props.projectId}/held-calls`);
  return (
    <Card>
      <Section
        title="Flow control"
        about="Tool calls of the last 7 days with values that occur only in untrusted data. The settings review and block hold them."
      >
        <Loaded read={read} height={120}>
          {({ calls, tools, estimated }) =>
            calls === 0 ? (
              <Text size="sm" c="dimmed">
                No such calls.
              </Text>
            ) : (
              <Stack gap="xs">
                <Text size="sm">
                  {estimated ? 'About ' : ''}
                  {countOf(calls, 'call')}
                </Text>
                <Table>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Tool</Table.Th>
                      <Table.Th>Calls</Table.Th>
                      <Table.Th>Values</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {tools.map(({ tool, calls, kinds }) => (
                      <Table.Tr key={tool ?? ''}>
                        <Table.Td>{tool ?? 'Unnamed'}</Table.Td>
                        <Table.Td>{calls}</Table.Td>
                        <Table.Td>{kinds.join(', ')}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Stack>
            )
          }
        </Loaded>
      </Section>
    </Card>
  );
}
