import type { PlaygroundAnswer } from '@csg/shared/contract';
import { Card, Skeleton, Table, Text } from '@mantine/core';
import { namesOf, STRICTNESS_WORDS, USE_CASE_WORDS } from '../../data/words.ts';
import { DecisionBadge } from '../../parts/badges.tsx';
import { Section } from '../../parts/page.tsx';

/** The same text under all eighteen presets, as a grid. */
export function OtherPresets(props: { readonly answer: PlaygroundAnswer | undefined }) {
  const levels = namesOf(STRICTNESS_WORDS).toReversed();
  return (
    <Card>
      <Section title="What every preset says" about="The same text, without any project's policies.">
        <Table aria-label="Decisions by preset" verticalSpacing={8} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Use case</Table.Th>
              {levels.map((level) => (
                <Table.Th key={level} scope="col" fz="xs">
                  {STRICTNESS_WORDS[level].name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {namesOf(USE_CASE_WORDS).map((useCase) => (
              <Table.Tr key={useCase}>
                <Table.Th scope="row" fw={400}>
                  {USE_CASE_WORDS[useCase].name}
                </Table.Th>
                {levels.map((level) => {
                  const said = props.answer?.presets.find(
                    (preset) => preset.use_case === useCase && preset.strictness_level === level,
                  );
                  return (
                    <Table.Td key={level}>
                      {said === undefined ? (
                        <Skeleton height={18} width={52} animate={false} />
                      ) : (
                        <DecisionBadge decision={said.decision} size="sm" />
                      )}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {props.answer === undefined && (
          <Text size="xs" c="dimmed">
            Filled in once a text was tried.
          </Text>
        )}
      </Section>
    </Card>
  );
}
