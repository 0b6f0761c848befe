import type { PolicyAction } from '@csg/shared/contract';
import {
  Card,
  Input,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { namesOf, THREAT_LABELS } from '../../data/labels.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';
import type { PolicyFormValues } from './policy-form-values.ts';

const ACTION_LABELS: Readonly<Record<PolicyAction, { readonly name: string; readonly about: string }>> = {
  allow: { name: 'Allow', about: 'Matching content is allowed, even if a preset would block it.' },
  monitor: {
    name: 'Monitor',
    about: 'Matching content is allowed and reported as an event and to the webhook.',
  },
  redact: { name: 'Redact', about: 'Matching content is replaced by its type. The rest is forwarded.' },
  block: { name: 'Block', about: 'The whole text is blocked.' },
};

export function PolicyBasics(props: {
  readonly form: UseFormReturnType<PolicyFormValues>;
  readonly isNew: boolean;
}) {
  const { form } = props;
  const projects = useProjects();
  const { action } = form.values;
  return (
    <Card>
      <Stack gap="sm">
        <TextInput
          label="Name"
          placeholder="No card numbers to external models"
          maxLength={80}
          {...form.getInputProps('name')}
        />
        <Textarea label="Description" autosize maxLength={500} {...form.getInputProps('description')} />
        <Input.Wrapper label="Action" description={ACTION_LABELS[action].about} labelElement="div">
          <SegmentedControl
            fullWidth
            mt={6}
            aria-label="Action"
            value={action}
            onChange={(value) => form.setFieldValue('action', value as PolicyAction)}
            data={namesOf(ACTION_LABELS).map((value) => ({ value, label: ACTION_LABELS[value].name }))}
          />
        </Input.Wrapper>
        <Switch
          label="Dry run"
          description="Records what the policy would have done, without applying it."
          {...form.getInputProps('isDryRun', { type: 'checkbox' })}
        />
        <MultiSelect
          label="Threat types"
          description="Findings that the policy applies to."
          placeholder={form.values.threat_types.length === 0 ? 'None (custom rules only)' : ''}
          data={namesOf(THREAT_LABELS).map((value) => ({ value, label: THREAT_LABELS[value] }))}
          searchable
          clearable
          {...form.getInputProps('threat_types')}
        />
        <Select
          label="Scope"
          data={[{ value: '', label: 'All projects' }, ...projectChoices(projects.data)]}
          allowDeselect={false}
          disabled={!props.isNew}
          {...form.getInputProps('project_id')}
        />
        <Switch label="Active" {...form.getInputProps('is_active', { type: 'checkbox' })} />
      </Stack>
    </Card>
  );
}
