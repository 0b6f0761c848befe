import type { EventDetail } from '@csg/shared/contract';
import { Card, Code, Group, Stack, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Section } from '../../components/page.tsx';

type Finding = EventDetail['findings'][number];

const RULE = 'flow_control.';
const SOURCE = 'flow_control.source';

interface DataFlow {
  readonly source: string;
  readonly values: readonly Finding[];
}

/** The arguments of a source come before it. */
function flowsOf(findings: readonly Finding[]): DataFlow[] {
  const flows: DataFlow[] = [];
  let values: Finding[] = [];
  for (const finding of findings) {
    if (finding.rule === SOURCE) {
      flows.push({ source: finding.path, values });
      values = [];
    } else if (finding.rule.startsWith(RULE)) values.push(finding);
  }
  return flows;
}

/** Where the values of tool calls come from: source, kind of value, argument. */
export function DataFlows(props: { readonly findings: readonly Finding[] }) {
  const flows = flowsOf(props.findings);
  if (flows.length === 0) return null;
  return (
    <Card>
      <Section title="Data flow">
        <Stack gap="xs">
          {flows.map(({ source, values }) =>
            values.map(({ rule, path }) => (
              <Group key={`${source} ${rule} ${path}`} gap="xs">
                <Code>{source}</Code>
                <IconArrowRight size={16} aria-label="to" />
                <Text size="sm">{rule.slice(RULE.length)}</Text>
                <IconArrowRight size={16} aria-label="to" />
                <Code>{path.replace('#', ' argument ')}</Code>
              </Group>
            )),
          )}
        </Stack>
      </Section>
    </Card>
  );
}
