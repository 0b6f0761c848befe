import type { EventDetail } from '@csg/shared/contract';
import { Card, Code, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';

/** The texts with withheld passages, and the number of requests for each. */
export function WithheldTexts(props: { readonly texts: EventDetail['withheld_texts'] }) {
  if (props.texts.length === 0) return null;
  return (
    <Card>
      <Section title="Withheld passages">
        <Text size="sm" mb="xs">
          The rest of each text was forwarded. To allow such a text, report a false positive and request to
          allow it; an approver decides.
        </Text>
        <DataTable
          label="Withheld passages"
          rows={props.texts}
          rowKey={({ path }) => path}
          empty={null}
          columns={[
            { title: 'Text', cell: ({ path }) => <Code style={{ overflowWrap: 'anywhere' }}>{path}</Code> },
            { title: 'Requests', align: 'right', cell: ({ requests }) => requests },
          ]}
        />
      </Section>
    </Card>
  );
}
