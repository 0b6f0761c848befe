import type { VersionResponse } from '@csg/shared/contract';
import { Card, Text } from '@mantine/core';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { useApiQuery } from '../../data/hooks.ts';

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** The only place that shows the running version. */
export function VersionNote() {
  const read = useApiQuery<VersionResponse>('/version');
  return (
    <Card>
      <Section title="This gateway">
        <Loaded read={read} height={40}>
          {({ version, commit, environment, node, database }) => (
            <Text size="sm" c="dimmed">
              Version {version}
              {commit === null ? '' : ` (${commit.slice(0, 10)})`}, {environment}, on {ENGINES[database]},
              Node {node}.
            </Text>
          )}
        </Loaded>
      </Section>
    </Card>
  );
}
