import type { PolicyPreview as Preview } from '@csg/shared/contract';
import { Alert, Anchor, Button, Card, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { DecisionBadge, ThreatText } from '../../components/badges.tsx';
import { Section } from '../../components/page.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { countOf, countText } from '../../data/format.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { type PolicyFormValues, policyOf } from './policy-form-values.ts';

const SPANS = [
  { value: '24', label: 'last 24 hours' },
  { value: '72', label: 'last 3 days' },
  { value: '168', label: 'last 7 days' },
];

/** The effect on past requests, from their recorded findings, before the policy is saved. */
export function PolicyPreview(props: {
  readonly policyId: string | undefined;
  readonly values: PolicyFormValues;
}) {
  const { policyId, values } = props;
  const [hours, setHours] = useState('24');
  const preview = useApiMutation(
    () =>
      callApi<Preview>('POST', '/policies/preview', {
        body: {
          ...(policyId === undefined ? {} : { policy_id: policyId }),
          policy: {
            ...policyOf({ ...values, name: values.name.trim() || 'preview', isDryRun: false }),
            ...(values.project_id === '' ? {} : { project_id: values.project_id }),
          },
          hours: Number(hours),
        },
      }),
    { quiet: true },
  );
  return (
    <Card>
      <Section
        title="Impact preview"
        about="Effect on past requests, based on their recorded findings. Texts are not stored, so patterns, domains and tool call rules are not included."
      >
        <Group align="flex-end">
          <Select
            aria-label="Time span"
            data={SPANS}
            value={hours}
            allowDeselect={false}
            onChange={(value) => setHours(value ?? hours)}
            w={170}
          />
          <Button
            variant="light"
            type="button"
            loading={preview.isPending}
            onClick={() => preview.mutate(undefined)}
          >
            Run preview
          </Button>
        </Group>
        {preview.error && <ErrorAlert error={preview.error} />}
        {preview.data && <PreviewResult preview={preview.data} />}
      </Section>
    </Card>
  );
}

function PreviewResult(props: { readonly preview: Preview }) {
  const { preview } = props;
  const { requests, now, would } = preview;
  const more = would.block - now.block;
  return (
    <Stack gap="sm" role="status">
      <Text fw={600}>{summaryOf(more, requests)}</Text>
      {preview.flow_texts.map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
      {preview.estimated && (
        <Text size="sm" c="dimmed">
          Estimated from {countText(preview.considered)} events across this period.
        </Text>
      )}
      <Table verticalSpacing={4} aria-label="Decisions with and without this policy">
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            <Table.Th ta="right">Actual</Table.Th>
            <Table.Th ta="right">With this policy</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(['allow', 'redact', 'block'] as const).map((decision) => (
            <Table.Tr key={decision}>
              <Table.Td>
                <DecisionBadge decision={decision} />
              </Table.Td>
              <Table.Td ta="right">{countText(now[decision])}</Table.Td>
              <Table.Td ta="right">{countText(would[decision])}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {preview.warnings.map(({ code, message }) => (
        <Alert key={code} color="yellow">
          {message}
        </Alert>
      ))}
      {preview.samples.length > 0 && (
        <div>
          <Text size="sm" fw={550} mb={4}>
            Examples of changed decisions
          </Text>
          <Stack gap={6}>
            {preview.samples.map((sample) => (
              <Group key={sample.event_id} gap={6}>
                <DecisionBadge decision={sample.now} size="sm" />→
                <DecisionBadge decision={sample.would} size="sm" />
                <Anchor component={Link} to={`/events/${sample.event_id}`} size="sm">
                  <ThreatText type={sample.threat_type} />
                </Anchor>
                <Text size="xs" c="dimmed">
                  <TimeAgo at={sample.at} />
                </Text>
              </Group>
            ))}
          </Stack>
        </div>
      )}
    </Stack>
  );
}

function summaryOf(more: number, requests: number): string {
  if (requests === 0) return 'No matching requests in this period.';
  const of = `of ${countOf(requests, 'decision')}`;
  if (more > 0) return `Would have blocked ${countText(more)} more ${of}.`;
  if (more < 0) return `Would have blocked ${countText(-more)} fewer ${of}.`;
  return `No additional blocks in ${countOf(requests, 'decision')}.`;
}
