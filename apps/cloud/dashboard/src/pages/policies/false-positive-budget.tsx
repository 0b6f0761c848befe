import type { ThresholdProposal } from '@csg/shared/contract';
import { Anchor, Card, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { countText, percentText } from '../../data/format.ts';
import { useApiQuery } from '../../data/hooks.ts';
import { ROLE_LABELS } from './policy-labels.ts';

const BUDGETS = ['0.001', '0.005', '0.01', '0.02', '0.05'];

/** The frequency of actions on attacks by confidence, and the threshold that stays within a budget. */
export function FalsePositiveBudget(props: { readonly projectId: string | null }) {
  const { projectId } = props;
  const [budget, setBudget] = useState('0.005');
  const read = useApiQuery<ThresholdProposal>('/policies/thresholds', {
    query: { budget, project_id: projectId },
    keepPrevious: true,
  });
  const { data } = read;
  const share = (count: number) =>
    percentText(data === undefined || data.prompts === 0 ? 0 : count / data.prompts);
  return (
    <Card p={{ base: 'sm', sm: 'md' }}>
      <Section
        title="False positive budget"
        about="The share of prompts that may be blocked or redacted because of attacks, for each author, based on the last 7 days. A proposal opens as a draft policy."
        actions={
          <Select
            aria-label="Budget"
            size="xs"
            w={170}
            allowDeselect={false}
            data={BUDGETS.map((value) => ({ value, label: `${percentText(Number(value))} of prompts` }))}
            value={budget}
            onChange={(value) => setBudget(value ?? budget)}
          />
        }
      >
        <DataTable
          label="False positive budget"
          rows={data?.roles}
          rowKey={({ role }) => role}
          error={read.error}
          retry={() => read.refetch()}
          isStale={read.isPlaceholderData}
          empty={
            <Text size="sm" c="dimmed">
              No attacks were blocked or redacted in the last 7 days.
            </Text>
          }
          columns={[
            { title: 'Author', isName: true, cell: ({ role }) => ROLE_LABELS[role] },
            { title: 'By confidence', cell: ({ histogram }) => <Histogram counts={histogram} /> },
            {
              title: 'Acted on',
              align: 'right',
              cell: ({ acted }) => `${countText(acted)} (${share(acted)})`,
            },
            {
              title: 'Proposal',
              cell: ({ role, proposed_threshold: threshold, acted_after: after }) =>
                threshold === null ? (
                  'Within the budget'
                ) : (
                  <>
                    <Anchor
                      component={Link}
                      to={draftOf(role, threshold, data?.threat_types ?? [], projectId)}
                      size="sm"
                    >
                      Act from {percentText(threshold)}
                    </Anchor>
                    : {countText(after)} ({share(after)})
                  </>
                ),
            },
          ]}
        />
        {data?.estimated && (
          <Text size="xs" c="dimmed">
            Estimated from a sample of the events.
          </Text>
        )}
      </Section>
    </Card>
  );
}

function draftOf(
  role: ThresholdProposal['roles'][number]['role'],
  threshold: number,
  threats: readonly string[],
  projectId: string | null,
): string {
  const draft = new URLSearchParams({
    ...{ name: `Threshold: ${ROLE_LABELS[role].toLowerCase()}`, action: 'monitor', role },
    ...{ direction: 'input', below: String(threshold) },
    ...(projectId === null ? {} : { project: projectId }),
  });
  for (const threat of threats) draft.append('threat', threat);
  return `/policies/new?${draft}`;
}

/** Twenty bars from 0 to 100 percent confidence. */
function Histogram(props: { readonly counts: readonly number[] }) {
  const most = Math.max(1, ...props.counts);
  const label = props.counts
    .flatMap((count, bin) => (count === 0 ? [] : [`${bin * 5}–${bin * 5 + 5}%: ${countText(count)}`]))
    .join(', ');
  return (
    <Group gap={1} align="flex-end" h={24} wrap="nowrap" role="img" aria-label={label} title={label}>
      {props.counts.map((count, bin) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: bins have no other name
          key={bin}
          style={{
            width: 5,
            height: count === 0 ? 1 : 3 + (count / most) * 21,
            background: 'var(--mantine-primary-color-filled)',
          }}
        />
      ))}
    </Group>
  );
}
