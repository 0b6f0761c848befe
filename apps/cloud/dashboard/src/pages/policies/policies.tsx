import type { PolicyDetail } from '@csg/shared/contract';
import { ActionIcon, Anchor, Badge, Button, Card, Group, Select, Switch, Text, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconShieldHalf } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { DecisionBadge } from '../../components/badges.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';
import { isAtLeast, useSession } from '../../data/session.ts';
import { criteriaLabel, scopeLabel } from './policy-labels.ts';

/** What decides beside the presets: in order, the strongest first. */
export function Policies() {
  const [params, setParams] = useSearchParams();
  const projects = useProjects();
  const projectId = params.get('project');
  const threat = params.get('threat');
  const isAdmin = isAtLeast(useSession(), 'admin');
  const read = useApiQuery<{ policies: PolicyDetail[] }>('/policies');
  const all = read.data?.policies;
  const matches = (policy: PolicyDetail) =>
    (projectId === null || policy.project_id === null || policy.project_id === projectId) &&
    (threat === null || policy.threat_types.some((type) => type === threat));
  // The same five rows for every project would be a wall.
  const isShown = ({ project_id }: PolicyDetail) =>
    threat !== null || (projects.data?.length ?? 0) === 1 || project_id === projectId;
  const own = all?.filter(({ from_preset }) => !from_preset);
  const create = isAdmin ? (
    <Button component={Link} to="/policies/new" leftSection={<IconPlus size={16} />}>
      Create a policy
    </Button>
  ) : null;
  return (
    <Page
      title="Policies"
      about="A policy changes what a preset would decide: by threat, destination, model, whose words, and time. The first that fits decides; a change counts everywhere within a second."
      actions={
        <>
          <Select
            aria-label="Project"
            placeholder="Every project"
            clearable
            w={180}
            data={projectChoices(projects.data)}
            value={projectId}
            onChange={(value) => setParams(value === null ? {} : { project: value })}
          />
          {create}
        </>
      }
    >
      <Card p={{ base: 'sm', sm: 'md' }}>
        <Section title="Your policies" about="From the strongest to the weakest.">
          <DataTable
            label="Your policies"
            rows={own?.filter(matches)}
            rowKey={({ id }) => id}
            error={read.error}
            retry={() => read.refetch()}
            isDim={({ is_active }) => !is_active}
            empty={
              <Empty icon={<IconShieldHalf size={22} />} title="No policy of your own yet" action={create}>
                The presets below decide alone. Start one in watching mode: it stops nothing, and says what it
                would have done to the last day's requests.
              </Empty>
            }
            columns={useOwnColumns(own ?? [], isAdmin, projectId === null && threat === null)}
          />
        </Section>
      </Card>
      <Card p={{ base: 'sm', sm: 'md' }}>
        <Section
          title="Of the presets"
          about="What each project's preset does, for reading. Change the preset of the project instead."
        >
          <DataTable
            label="Policies of presets"
            rows={all?.filter((policy) => policy.from_preset && matches(policy) && isShown(policy))}
            rowKey={({ id }) => id}
            error={read.error}
            empty={
              <Text size="sm" c="dimmed">
                {projectId === null && (projects.data?.length ?? 0) > 1
                  ? 'Choose a project above to see what its preset does.'
                  : 'None of these fits.'}
              </Text>
            }
            columns={[
              {
                title: 'Name',
                isName: true,
                cell: ({ name, description }) => (
                  <>
                    <Text size="sm">{name}</Text>
                    <Text size="xs" c="dimmed">
                      {description}
                    </Text>
                  </>
                ),
              },
              { title: 'Does', cell: ({ action }) => <DecisionBadge decision={action} /> },
              { title: 'With', cell: (policy) => criteriaLabel(policy) },
              {
                title: 'In',
                cell: ({ project_id }) =>
                  projects.data?.find(({ id }) => id === project_id)?.name ?? 'the whole account',
              },
            ]}
          />
        </Section>
      </Card>
    </Page>
  );
}

function useOwnColumns(
  own: readonly PolicyDetail[],
  isAdmin: boolean,
  canMove: boolean,
): Column<PolicyDetail>[] {
  const projects = useProjects();
  const refresh = ['/policies'];
  const reorder = useApiMutation(
    (policyIds: string[]) => callApi('POST', '/policies/reorder', { body: { policy_ids: policyIds } }),
    { refresh },
  );
  const change = useApiMutation(
    ({ id, isActive }: { id: string; isActive: boolean }) =>
      callApi('PATCH', `/policies/${id}`, { body: { is_active: isActive } }),
    {
      refresh,
      successMessage: (_data, { isActive }) => (isActive ? 'It decides again.' : 'It decides nothing now.'),
    },
  );
  const move = (index: number, by: -1 | 1) => {
    const ids = own.map(({ id }) => id);
    const [moved] = ids.splice(index, 1);
    ids.splice(index + by, 0, moved!);
    reorder.mutate(ids);
  };
  return [
    {
      title: 'Order',
      cell: (policy) => {
        const index = own.indexOf(policy);
        return (
          <Group gap={2} wrap="nowrap">
            <Text size="sm" w={18} c="dimmed">
              {index + 1}
            </Text>
            {isAdmin && canMove && (
              <>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  disabled={index === 0 || reorder.isPending}
                  aria-label={`Move ${policy.name} up`}
                  onClick={() => move(index, -1)}
                >
                  <IconArrowUp size={14} />
                </ActionIcon>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  disabled={index === own.length - 1 || reorder.isPending}
                  aria-label={`Move ${policy.name} down`}
                  onClick={() => move(index, 1)}
                >
                  <IconArrowDown size={14} />
                </ActionIcon>
              </>
            )}
          </Group>
        );
      },
    },
    {
      title: 'Name',
      isName: true,
      cell: ({ id, name, description }) => (
        <>
          <Anchor component={Link} to={`/policies/${id}`} size="sm" fw={550}>
            {name}
          </Anchor>
          {description !== null && (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {description}
            </Text>
          )}
        </>
      ),
    },
    {
      title: 'Does',
      cell: ({ action, mode }) => (
        <Group gap={6}>
          <DecisionBadge decision={action} />
          {mode === 'monitor' && (
            <Tooltip label="It decides nothing; it says what it would have done.">
              <Badge color="blue" variant="outline" tabIndex={0}>
                watching
              </Badge>
            </Tooltip>
          )}
        </Group>
      ),
    },
    { title: 'With', cell: (policy) => criteriaLabel(policy) },
    {
      title: 'Where',
      wideOnly: true,
      cell: (policy) =>
        scopeLabel(policy, projects.data?.find(({ id }) => id === policy.project_id)?.name ?? null),
    },
    {
      title: 'Active',
      cell: ({ id, name, is_active }) => (
        <Switch
          size="sm"
          checked={is_active}
          disabled={!isAdmin || change.isPending}
          aria-label={`${name} is active`}
          onChange={(event) => change.mutate({ id, isActive: event.currentTarget.checked })}
        />
      ),
    },
  ];
}
