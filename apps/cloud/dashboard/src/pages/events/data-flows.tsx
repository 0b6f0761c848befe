import type { EventDetail } from '@csg/shared/contract';
import { Box, Card, Code, Flex, Paper, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowRight } from '@tabler/icons-react';
import { Section } from '../../components/page.tsx';

type Finding = EventDetail['findings'][number];

/** Rules of flow control, and policy rules about tool calls, end with the kind of the value. */
const RULE = /^(?:flow_control|policy:[^:]+:flow)\.(\w+)$/;

const kindOf = (rule: string): string | undefined => RULE.exec(rule)?.[1];

interface DataFlow {
  readonly source: Finding;
  readonly values: readonly Finding[];
}

const ANYWHERE = { overflowWrap: 'anywhere' } as const;

/** The arguments with values from a source precede it in the list. */
function flowsOf(findings: readonly Finding[]): DataFlow[] {
  const flows: DataFlow[] = [];
  let values: Finding[] = [];
  for (const finding of findings) {
    const kind = kindOf(finding.rule);
    if (kind === 'source') {
      flows.push({ source: finding, values });
      values = [];
    } else if (kind !== undefined && kind !== 'calls') values.push(finding);
  }
  return flows;
}

/** Shows for each flow in a tool call the source, the kind of value and the argument. */
export function DataFlows(props: { readonly findings: readonly Finding[] }) {
  const flows = flowsOf(props.findings);
  if (flows.length === 0) return null;
  return (
    <Card>
      <Section title="Data flow">
        <Stack gap="xs">
          {flows.map(({ source, values }) =>
            values.map((value) => (
              <Flow key={`${source.path} ${value.rule} ${value.path}`} source={source} value={value} />
            )),
          )}
        </Stack>
      </Section>
    </Card>
  );
}

function Flow({ source, value }: { readonly source: Finding; readonly value: Finding }) {
  const { rule, path, tool } = value;
  const at = path.indexOf('#');
  return (
    <Paper withBorder p="xs">
      <Flex direction={{ base: 'column', lg: 'row' }} align={{ base: 'flex-start', lg: 'center' }} gap="xs">
        <Node title={source.tool === undefined ? 'Untrusted data' : `Result of ${source.tool}`}>
          <Code style={ANYWHERE}>{source.path}</Code>
        </Node>
        <Arrow />
        <Node title="Value">
          <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
            {kindOf(rule)?.replaceAll('_', ' ')}
          </Text>
        </Node>
        <Arrow />
        <Node title={`Argument of ${tool ?? path.slice(0, at)}`}>
          <Code style={ANYWHERE}>{path.slice(at + 1)}</Code>
        </Node>
      </Flex>
    </Paper>
  );
}

function Node(props: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed" style={ANYWHERE}>
        {props.title}
      </Text>
      {props.children}
    </div>
  );
}

function Arrow() {
  return (
    <>
      <Box hiddenFrom="lg" aria-hidden>
        <IconArrowDown size={16} />
      </Box>
      <Box visibleFrom="lg" aria-hidden>
        <IconArrowRight size={16} />
      </Box>
    </>
  );
}
