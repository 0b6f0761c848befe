import type { PlaygroundResponse } from '@csg/shared/contract';
import { Card, Code, Group, Text, Tooltip } from '@mantine/core';
import { ThreatText } from '../../components/badges.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { percentText } from '../../data/format.ts';
import { cutText, type Piece } from './cut-text.ts';
import styles from './marked-text.module.css';

type Finding = PlaygroundResponse['findings'][number];

/** Words with less weight are not highlighted. */
const SHOWN_WEIGHT = 0.3;

/** The tested texts with findings underlined and weighted words shaded, and the findings as a table. */
export function MarkedText(props: {
  readonly texts: readonly { readonly label: string; readonly text: string }[];
  readonly result: PlaygroundResponse;
}) {
  const { texts, result } = props;
  return (
    <Card>
      <Section title="Matched rules">
        {texts.map(({ label, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: in the order of the conversation
          <div key={index}>
            {texts.length > 1 && (
              <Text size="xs" fw={600} mb={2}>
                {label}
              </Text>
            )}
            <div className={styles.text}>
              {cutText(text.length, partOf(result, index)).map((piece) => (
                <Marked key={piece.start} piece={piece} text={text.slice(piece.start, piece.end)} />
              ))}
            </div>
          </div>
        ))}
        <Group gap="lg">
          <Text size="xs" c="dimmed">
            <mark className={styles.finding}>underlined</mark>: matched by a rule
          </Text>
          {result.words.length > 0 && (
            <Text size="xs" c="dimmed">
              <span className={styles.for}>red</span>: evidence for an attack,{' '}
              <span className={styles.against}>green</span>: against
            </Text>
          )}
          {result.readings.length > 0 && (
            <Text size="xs" c="dimmed">
              Evidence by reading: {result.readings.map(readingText).join(', ')}
            </Text>
          )}
        </Group>
        <DataTable
          label="Findings"
          rows={result.findings}
          rowKey={({ message, rule, start, end, type }) => `${message} ${rule} ${start} ${end} ${type}`}
          empty={
            <Text size="sm" c="dimmed">
              No rules matched.
            </Text>
          }
          columns={[
            {
              title: 'Reason',
              isName: true,
              cell: ({ reason, rule }) => (
                <>
                  {reason} <Code>{rule}</Code>
                </>
              ),
            },
            ...(texts.length > 1
              ? [{ title: 'Message', cell: (row: Finding) => texts[row.message]?.label ?? '–' }]
              : []),
            { title: 'Threat', cell: ({ type }) => <ThreatText type={type} /> },
            { title: 'Characters', align: 'right', cell: ({ start, end }) => `${start}–${end}` },
            { title: 'Confidence', align: 'right', cell: ({ confidence }) => percentText(confidence) },
          ]}
        />
      </Section>
    </Card>
  );
}

const readingText = ({ rule, share }: PlaygroundResponse['readings'][number]): string =>
  `${rule} ${percentText(share)}`;

/** Returns the findings and words of one of the texts. */
function partOf({ findings, words }: PlaygroundResponse, index: number) {
  return { findings: findings.filter(({ message }) => message === index), words: index === 0 ? words : [] };
}

function Marked(props: { readonly piece: Piece; readonly text: string }) {
  const { finding, weight } = props.piece;
  const shade = weight >= SHOWN_WEIGHT ? styles.for : weight <= -SHOWN_WEIGHT ? styles.against : undefined;
  if (finding === undefined) return <span className={shade}>{props.text}</span>;
  return (
    <Tooltip label={finding.reason} multiline maw={320}>
      <mark className={`${styles.finding} ${shade ?? ''}`}>{props.text}</mark>
    </Tooltip>
  );
}
