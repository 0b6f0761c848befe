import type { PlaygroundResponse } from '@csg/shared/contract';
import { Card, Skeleton, Table, Text } from '@mantine/core';
import { DecisionBadge } from '../../components/badges.tsx';
import { Section } from '../../components/page.tsx';
import { namesOf, STRICTNESS_LABELS, USE_CASE_LABELS } from '../../data/labels.ts';

/** Decisions of all eighteen presets on the same text. */
export function PresetResults(props: { readonly result: PlaygroundResponse | undefined }) {
  const levels = namesOf(STRICTNESS_LABELS).toReversed();
  return (
    <Card>
      <Section title="Results by preset" about="The same text without project policies.">
        <Table aria-label="Decisions by preset" verticalSpacing={8} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Use case</Table.Th>
              {levels.map((level) => (
                <Table.Th key={level} scope="col" fz="xs">
                  {STRICTNESS_LABELS[level].name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {namesOf(USE_CASE_LABELS).map((useCase) => (
              <Table.Tr key={useCase}>
                <Table.Th scope="row" fw={400}>
                  {USE_CASE_LABELS[useCase].name}
                </Table.Th>
                {levels.map((level) => {
                  const preset = props.result?.presets.find(
                    (preset) => preset.use_case === useCase && preset.strictness_level === level,
                  );
                  return (
                    <Table.Td key={level}>
                      {preset === undefined ? (
                        <Skeleton height={18} width={52} animate={false} />
                      ) : (
                        <DecisionBadge decision={preset.decision} size="sm" />
                      )}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {props.result === undefined && (
          <Text size="xs" c="dimmed">
            Run a test to see results.
          </Text>
        )}
      </Section>
    </Card>
  );
}
