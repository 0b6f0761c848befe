import type { EventDetail } from '@csg/shared/contract';
import { Card, Code, Group, Stack, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Section } from '../../components/page.tsx';

type Finding = EventDetail['findings'][number];

/** Rules of flow control, and of policies about tool calls, end in the kind of the value. */
const RULE = /^(?:flow_control|policy:[^:]+:flow)\.(\w+)$/;

const kindOf = (rule: string): string | undefined => RULE.exec(rule)?.[1];

interface DataFlow {
  readonly source: string;
  readonly values: readonly Finding[];
}

/** The arguments of a source come before it. */
function flowsOf(findings: readonly Finding[]): DataFlow[] {
  const flows: DataFlow[] = [];
  let values: Finding[] = [];
  for (const finding of findings) {
    const kind = kindOf(finding.rule);
    if (kind === 'source') {
      flows.push({ source: sourceOf(finding), values });
      values = [];
    } else if (kind !== undefined && kind !== 'calls') values.push(finding);
  }
  return flows;
}

const sourceOf = ({ path, tool }: Finding): string => (tool === undefined ? path : `${tool} result ${path}`);

/** Where the values of tool calls come from: source, kind of value, argument. */
export function DataFlows(props: { readonly findings: readonly Finding[] }) {
  const flows = flowsOf(props.findings);
  if (flows.length === 0) return null;
  return (
    <Card>
      <Section title="Data flow">
        <Stack gap="xs">
          {flows.map(({ source, values }) =>
            values.map(({ rule, path, tool }) => (
              <Group key={`${source} ${rule} ${path}`} gap="xs">
                <Code>{source}</Code>
                <IconArrowRight size={16} aria-label="to" />
                <Text size="sm">{kindOf(rule)}</Text>
                <IconArrowRight size={16} aria-label="to" />
                <Code>{`${tool ?? path.slice(0, path.indexOf('#'))} argument ${path.slice(path.indexOf('#') + 1)}`}</Code>
              </Group>
            )),
          )}
        </Stack>
      </Section>
    </Card>
  );
}
