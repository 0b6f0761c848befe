import type { ToolLists } from '@csg/shared/contract';
import { Alert, Button, Card, Code, Group, Select, Stack, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTool } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { Page } from '../../components/page.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';
import { isAtLeast, useSession } from '../../data/session.ts';

/** The tools that agents of a project can call. */
export function Tools() {
  const [params, setParams] = useSearchParams();
  const projects = useProjects();
  const projectId = params.get('project') ?? projects.data?.[0]?.id;
  return (
    <Page
      title="Agent tools"
      about={
        <>
          Tools that agents can call. Agents check each call with <Code>POST /agent/validate-tool</Code>. A
          request can only tighten these lists.
        </>
      }
      actions={
        <Select
          aria-label="Project"
          data={projectChoices(projects.data)}
          value={projectId ?? null}
          onChange={(value) => value !== null && setParams({ project: value })}
          allowDeselect={false}
        />
      }
    >
      {projectId === undefined ? (
        <Loaded read={projects} height={360}>
          {() => (
            <Empty
              icon={<IconTool size={22} />}
              title="No projects yet"
              action={
                <Button component={Link} to="/projects">
                  Create a project
                </Button>
              }
            >
              Tool lists belong to a project.
            </Empty>
          )}
        </Loaded>
      ) : (
        <Lists key={projectId} projectId={projectId} />
      )}
    </Page>
  );
}

function Lists(props: { readonly projectId: string }) {
  const read = useApiQuery<ToolLists>(`/projects/${props.projectId}/tools`);
  return (
    <Loaded read={read} height={360}>
      {(lists) => <Form projectId={props.projectId} lists={lists} />}
    </Loaded>
  );
}

function Form(props: { readonly projectId: string; readonly lists: ToolLists }) {
  const isReader = !isAtLeast(useSession(), 'admin', props.projectId);
  const form = useForm({ initialValues: props.lists });
  const save = useApiMutation(
    (body: ToolLists) => callApi<ToolLists>('PUT', `/projects/${props.projectId}/tools`, { body }),
    {
      refresh: [`/projects/${props.projectId}/tools`],
      successMessage: 'Saved. Changes apply from the next call on.',
    },
  );
  const isNarrow = form.values.allowed_tools.length > 0;
  const input = {
    disabled: isReader,
    placeholder: 'Type a name and press Enter',
    clearable: !isReader,
    maxTags: 500,
  };
  return (
    <Card maw={760}>
      <form onSubmit={form.onSubmit((values) => save.mutate(values, { onSuccess: () => form.resetDirty() }))}>
        <Stack>
          <TagsInput
            label="Blocked"
            description='Always rejected. An entry matches the full name, or the part after its last ".", ":" or "__".'
            {...input}
            {...form.getInputProps('blocked_tools')}
          />
          <TagsInput
            label="Require approval"
            description="Calls are pending under Requests until an admin decides."
            {...input}
            {...form.getInputProps('review_required_tools')}
          />
          <TagsInput
            label="Allowed"
            description="If empty, all tools that are not blocked. Entries here override the default block list."
            {...input}
            {...form.getInputProps('allowed_tools')}
          />
          {isNarrow && (
            <Alert color="yellow">
              "Allowed" has entries, so all tools that it does not list are rejected.
            </Alert>
          )}
          {!isReader && (
            <Group justify="flex-end">
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                Save lists
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  );
}
