import type { DashboardProject } from '@csg/shared/contract';
import { Anchor, Badge, Button, Card, Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorAlert } from '../../components/states.tsx';
import { countOf } from '../../data/format.ts';
import { STRICTNESS_LABELS, USE_CASE_LABELS } from '../../data/labels.ts';
import { useProjects } from '../../data/projects.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { CreateProject } from './create-project.tsx';

export function Projects() {
  const read = useProjects();
  const session = useSession();
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = isAtLeast(session, 'member') ? (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Create a project
    </Button>
  ) : null;
  return (
    <Page
      title="Projects"
      about="A project represents one application: its use case, its strictness, and what happens if scanning fails."
      actions={create}
    >
      {read.error && read.data === undefined ? (
        <ErrorAlert error={read.error} retry={() => read.refetch()} />
      ) : read.data?.length === 0 ? (
        <Card>
          <Empty icon={<IconApps size={22} />} title="No projects yet" action={create}>
            API keys and devices belong to a project. Create one for each application.
          </Empty>
        </Card>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {read.data?.map((project) => <ProjectCard key={project.id} project={project} />) ??
            [1, 2, 3].map((index) => <Skeleton key={index} height={170} radius="md" />)}
        </SimpleGrid>
      )}
      <CreateProject opened={isCreating} onClose={close} />
    </Page>
  );
}

function ProjectCard(props: { readonly project: DashboardProject }) {
  const { project } = props;
  return (
    <Card>
      <Anchor component={Link} to={`/projects/${project.id}`} fw={600}>
        {project.name}
      </Anchor>
      <Text size="sm" c="dimmed" lineClamp={2} mih="2.6em" mt={2}>
        {project.description ?? USE_CASE_LABELS[project.use_case].about}
      </Text>
      <Group gap={6} mt="sm">
        <Badge>{USE_CASE_LABELS[project.use_case].name}</Badge>
        <Badge color="gray">{STRICTNESS_LABELS[project.strictness_level].name}</Badge>
        <Badge color={project.fail_mode === 'closed' ? 'orange' : 'gray'}>fail {project.fail_mode}</Badge>
        {project.zero_retention && <Badge color="violet">zero retention</Badge>}
      </Group>
      <Text size="xs" c="dimmed" mt="sm">
        {countOf(project.keys, 'API key')}
        {project.providers.length > 0 && ` · credentials for ${project.providers.join(', ')}`}
      </Text>
    </Card>
  );
}
