import {
  type ChangeProject,
  type DashboardProject,
  SETTING_NAMES,
  type SettingChanges,
} from '@csg/shared/contract';
import {
  Alert,
  Anchor,
  Button,
  Card,
  Grid,
  Group,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from 'react-router';
import { DeleteByName } from '../../components/delete-by-name.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { noteStep } from '../../data/done-steps.ts';
import { countOf } from '../../data/format.ts';
import { useApiMutation } from '../../data/hooks.ts';
import { useProjects } from '../../data/projects.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { HeldCalls } from './held-calls.tsx';
import { McpServers } from './mcp-servers.tsx';
import { FailModeChoice, PresetChoice } from './preset-choice.tsx';
import { ProjectRoles } from './project-roles.tsx';
import { ProviderCredentials } from './provider-credentials.tsx';
import { RetentionForm } from './retention-form.tsx';
import { SettingFields } from './setting-fields.tsx';

export function ProjectPage() {
  const { projectId = '' } = useParams();
  const read = useProjects();
  const name = read.data?.find(({ id }) => id === projectId)?.name;
  return (
    <Page
      title={name ?? 'Project'}
      about="Changes take effect within a second."
      actions={
        <Button
          component={Link}
          to="/projects"
          variant="default"
          size="xs"
          leftSection={<IconArrowLeft size={14} />}
        >
          All projects
        </Button>
      }
    >
      <Loaded read={read} height={420}>
        {(projects) => {
          const project = projects.find(({ id }) => id === projectId);
          if (project === undefined) return <Empty title="No such project in this organization" />;
          return <Settings key={project.id} project={project} />;
        }}
      </Loaded>
    </Page>
  );
}

function Settings(props: { readonly project: DashboardProject }) {
  const { project } = props;
  const isReader = !isAtLeast(useSession(), 'admin', project.id);
  const form = useForm({
    initialValues: {
      name: project.name,
      description: project.description ?? '',
      use_case: project.use_case,
      strictness_level: project.strictness_level,
      fail_mode: project.fail_mode,
      zero_retention: project.zero_retention,
      settings: ownSettings(project),
    },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const save = useApiMutation(
    (body: ChangeProject) => callApi<DashboardProject>('PATCH', `/projects/${project.id}`, { body }),
    { refresh: ['/projects', '/policies'], successMessage: 'Saved. Changes take effect within a second.' },
  );
  const isOtherPreset =
    form.values.use_case !== project.use_case || form.values.strictness_level !== project.strictness_level;
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Card>
          <form
            onSubmit={form.onSubmit(({ settings, ...values }) =>
              save.mutate(
                { ...values, ...settings },
                {
                  onSuccess: () => {
                    noteStep('preset');
                    form.resetDirty();
                  },
                },
              ),
            )}
          >
            <Stack>
              <TextInput label="Name" maxLength={100} disabled={isReader} {...form.getInputProps('name')} />
              <Textarea
                label="Description"
                autosize
                maxLength={500}
                disabled={isReader}
                {...form.getInputProps('description')}
              />
              <PresetChoice
                disabled={isReader}
                useCase={form.values.use_case}
                strictness={form.values.strictness_level}
                onUseCase={(value) => form.setFieldValue('use_case', value)}
                onStrictness={(value) => form.setFieldValue('strictness_level', value)}
              />
              {isOtherPreset && (
                <Alert color="blue">
                  Saving replaces the policies of the old preset with those of the new one. Your own policies
                  are kept. Test the new preset in the{' '}
                  <Anchor component={Link} to="/playground" size="sm" underline="always">
                    playground
                  </Anchor>{' '}
                  first.
                </Alert>
              )}
              <FailModeChoice
                disabled={isReader}
                value={form.values.fail_mode}
                onChange={(value) => form.setFieldValue('fail_mode', value)}
              />
              <SettingFields
                basis={form.values}
                values={form.values.settings}
                onChange={(values) => form.setFieldValue('settings', values)}
                disabled={isReader}
              />
              <Switch
                label="Zero retention"
                description="No text is stored for this project, not even redacted."
                disabled={isReader}
                {...form.getInputProps('zero_retention', { type: 'checkbox' })}
              />
              {!isReader && (
                <Group justify="flex-end">
                  <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                    Save
                  </Button>
                </Group>
              )}
            </Stack>
          </form>
        </Card>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack>
          <ProviderCredentials project={project} isReader={isReader} />
          <HeldCalls projectId={project.id} />
          <McpServers project={project} isReader={isReader} />
          <ProjectRoles projectId={project.id} isReader={isReader} />
          <RetentionForm projectId={project.id} isReader={isReader} />
          <Card>
            <Section title="Related">
              <Stack gap={6}>
                <Anchor component={Link} to="/keys" size="sm">
                  {countOf(project.keys, 'API key')}
                </Anchor>
                <Anchor component={Link} to={`/policies?project=${project.id}`} size="sm">
                  Policies
                </Anchor>
                <Anchor component={Link} to={`/tools?project=${project.id}`} size="sm">
                  Agent tools
                </Anchor>
                <Anchor component={Link} to={`/endpoints?project=${project.id}`} size="sm">
                  Endpoints
                </Anchor>
                <Anchor component={Link} to={`/events?project_id=${project.id}`} size="sm">
                  Events
                </Anchor>
              </Stack>
              <Text size="xs" c="dimmed" ff="monospace" mt="xs">
                {project.id}
              </Text>
            </Section>
          </Card>
          {!isReader && <DeleteProject project={project} />}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

/** Null for each setting that uses its default. */
function ownSettings(project: DashboardProject): SettingChanges {
  const own = SETTING_NAMES.map((name) => [
    name,
    project.explicit_settings.includes(name) ? project[name] : null,
  ]);
  return Object.fromEntries(own);
}

function DeleteProject(props: { readonly project: DashboardProject }) {
  const { id, name, keys } = props.project;
  const navigate = useNavigate();
  return (
    <DeleteByName
      what="project"
      name={name}
      about="Deletes the project and everything that belongs to it."
      effect={`Its policies, credentials, settings and events are deleted, its ${countOf(keys, 'API key')} stop working, and its devices are revoked. The audit log is kept.`}
      path={`/projects/${id}`}
      refresh={['/projects', '/keys', '/policies', '/devices', '/approvals']}
      onDone={() => navigate('/projects', { replace: true })}
    />
  );
}
