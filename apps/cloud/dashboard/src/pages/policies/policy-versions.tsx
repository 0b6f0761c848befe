import type { PolicyVersionList } from '@csg/shared/contract';
import { Badge, Card, Code, Group, Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';

type Version = PolicyVersionList['versions'][number];

/** The versions of a policy: who changed what, with a button to restore each. */
export function PolicyVersions(props: { readonly policyId: string; readonly isReader: boolean }) {
  const path = `/policies/${props.policyId}/versions`;
  const read = useApiQuery<PolicyVersionList>(path);
  return (
    <Card>
      <Section title="Versions">
        <Loaded read={read} height={80}>
          {({ versions }) => (
            <Stack gap="sm">
              {versions.map((version) => (
                <VersionRow key={version.version} version={version} {...props} />
              ))}
            </Stack>
          )}
        </Loaded>
      </Section>
    </Card>
  );
}

function VersionRow(props: {
  readonly policyId: string;
  readonly isReader: boolean;
  readonly version: Version;
}) {
  const { policyId, isReader, version } = props;
  const restore = useApiMutation(
    () => callApi('POST', `/policies/${policyId}/restore`, { body: { version: version.version } }),
    {
      refresh: ['/policies', `/policies/${policyId}/versions`],
      quiet: true,
      successMessage: `Version ${version.version} restored.`,
    },
  );
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text size="sm">
          Version {version.version}, <TimeAgo at={version.at} />
          {version.changed_by !== null && ` by ${version.changed_by}`}
        </Text>
        {version.changes.map(({ field, before, after }) => (
          <Text key={field} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {field}: <Code>{valueText(before)}</Code> → <Code>{valueText(after)}</Code>
          </Text>
        ))}
      </div>
      {version.is_current ? (
        <Badge variant="light">Current</Badge>
      ) : (
        !isReader && (
          <ConfirmButton
            size="xs"
            label="Restore"
            title={`Restore version ${version.version}`}
            effect="The policy is reset to this version, from the next request on."
            confirm="Restore"
            pending={restore.isPending}
            error={restore.error}
            action={() => restore.mutateAsync(undefined)}
          />
        )
      )}
    </Group>
  );
}

function valueText(value: unknown): string {
  return value === null ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value);
}
