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

/** Which tools a project's agents may call. */
export function Tools() {
  const [params, setParams] = useSearchParams();
  const projects = useProjects();
  const projectId = params.get('project') ?? projects.data?.[0]?.id;
  return (
    <Page
      title="Agent tools"
      about={
        <>
          What <Code>POST /agent/validate-tool</Code> answers an agent that asks before it calls a tool. A
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
              title="No project yet"
              action={
                <Button component={Link} to="/projects">
                  Create a project
                </Button>
              }
            >
              Lists of tools belong to a project.
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
  const isReader = !isAtLeast(useSession(), 'admin');
  const form = useForm({ initialValues: props.lists });
  const save = useApiMutation(
    (body: ToolLists) => callApi<ToolLists>('PUT', `/projects/${props.projectId}/tools`, { body }),
    {
      refresh: [`/projects/${props.projectId}/tools`],
      successMessage: 'Saved. It counts for the next call.',
    },
  );
  const isNarrow = form.values.allowed_tools.length > 0;
  const input = {
    disabled: isReader,
    placeholder: 'Add a name, then Enter',
    clearable: !isReader,
    maxTags: 500,
  };
  return (
    <Card maw={760}>
      <form onSubmit={form.onSubmit((values) => save.mutate(values, { onSuccess: () => form.resetDirty() }))}>
        <Stack>
          <TagsInput
            label="Blocked"
            description='Always refused. An entry matches the whole name, or the part after its last ".", ":" or "__".'
            {...input}
            {...form.getInputProps('blocked_tools')}
          />
          <TagsInput
            label="Need a person's word"
            description="The call waits under Requests until an admin decides it."
            {...input}
            {...form.getInputProps('review_required_tools')}
          />
          <TagsInput
            label="Allowed"
            description="Empty: everything that is not blocked. An entry also lifts a default block."
            {...input}
            {...form.getInputProps('allowed_tools')}
          />
          {isNarrow && (
            <Alert color="yellow">
              With an entry under "Allowed" every tool that is not listed there is refused.
            </Alert>
          )}
          {!isReader && (
            <Group justify="flex-end">
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                Save the lists
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  );
}
