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
import { FalsePositiveBudget } from './false-positive-budget.tsx';
import { criteriaLabel, scopeLabel } from './policy-labels.ts';

/** The policies in order of priority, and the rules of the presets. */
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
  // Every project has the same five rows.
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
      about={
        <>
          Policies override preset decisions by threat, destination, model, author and time. The first
          matching policy decides. Changes take effect within a second. See first{' '}
          <Anchor component={Link} to="/plan?by=host" underline="always" inherit>
            which AI hosts are used
          </Anchor>{' '}
          and by whom.
        </>
      }
      actions={
        <>
          <Select
            aria-label="Project"
            placeholder="All projects"
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
        <Section title="Your policies" about="Highest priority first.">
          <DataTable
            label="Your policies"
            rows={own?.filter(matches)}
            rowKey={({ id }) => id}
            error={read.error}
            retry={() => read.refetch()}
            isDim={({ is_active }) => !is_active}
            empty={
              <Empty icon={<IconShieldHalf size={22} />} title="No policies yet" action={create}>
                Only the preset rules below apply. Start a policy as a dry run: it blocks nothing and shows
                its effect on recent requests.
              </Empty>
            }
            columns={useOwnColumns(own ?? [], isAdmin, projectId === null && threat === null)}
          />
        </Section>
      </Card>
      <FalsePositiveBudget projectId={projectId} />
      <Card p={{ base: 'sm', sm: 'md' }}>
        <Section title="Preset rules" about="Read-only. To change them, change the preset of the project.">
          <DataTable
            label="Preset rules"
            rows={all?.filter((policy) => policy.from_preset && matches(policy) && isShown(policy))}
            rowKey={({ id }) => id}
            error={read.error}
            empty={
              <Text size="sm" c="dimmed">
                {projectId === null && (projects.data?.length ?? 0) > 1
                  ? 'Select a project above to see its preset rules.'
                  : 'No matching rules.'}
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
              { title: 'Action', cell: ({ action }) => <DecisionBadge decision={action} /> },
              { title: 'Threats', cell: (policy) => criteriaLabel(policy) },
              {
                title: 'Project',
                cell: ({ project_id }) =>
                  projects.data?.find(({ id }) => id === project_id)?.name ?? 'All projects',
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
      successMessage: (_data, { isActive }) => (isActive ? 'Policy enabled.' : 'Policy disabled.'),
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
      title: 'Priority',
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
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          )}
        </>
      ),
    },
    {
      title: 'Action',
      cell: ({ action, mode }) => (
        <Group gap={6}>
          <DecisionBadge decision={action} />
          {mode === 'monitor' && (
            <Tooltip label="Records what the policy would have done, without applying it.">
              <Badge color="blue" variant="outline" tabIndex={0}>
                dry run
              </Badge>
            </Tooltip>
          )}
        </Group>
      ),
    },
    { title: 'Threats', cell: (policy) => criteriaLabel(policy) },
    {
      title: 'Scope',
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
