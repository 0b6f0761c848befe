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
  allow: { name: 'Allow', about: 'What it names passes, although a preset would stop it.' },
  monitor: { name: 'Monitor', about: 'What it names passes, and is told as an event and to the webhook.' },
  redact: { name: 'Redact', about: 'What it names is replaced by its type; the rest goes on.' },
  block: { name: 'Block', about: 'The whole text is stopped.' },
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
          placeholder="No card numbers to outside models"
          maxLength={80}
          {...form.getInputProps('name')}
        />
        <Textarea label="Why it is there" autosize maxLength={500} {...form.getInputProps('description')} />
        <Input.Wrapper label="What it does" description={ACTION_LABELS[action].about} labelElement="div">
          <SegmentedControl
            fullWidth
            mt={6}
            aria-label="What it does"
            value={action}
            onChange={(value) => form.setFieldValue('action', value as PolicyAction)}
            data={namesOf(ACTION_LABELS).map((value) => ({ value, label: ACTION_LABELS[value].name }))}
          />
        </Input.Wrapper>
        <Switch
          label="Only watch"
          description="It decides nothing yet, and says what it would have done."
          {...form.getInputProps('isWatching', { type: 'checkbox' })}
        />
        <MultiSelect
          label="Threat types"
          description="What has to be found for it to fit."
          placeholder={form.values.threat_types.length === 0 ? 'None: its patterns and domains alone' : ''}
          data={namesOf(THREAT_LABELS).map((value) => ({ value, label: THREAT_LABELS[value] }))}
          searchable
          clearable
          {...form.getInputProps('threat_types')}
        />
        <Select
          label="Where it holds"
          data={[{ value: '', label: 'The whole account' }, ...projectChoices(projects.data)]}
          allowDeselect={false}
          disabled={!props.isNew}
          {...form.getInputProps('project_id')}
        />
        <Switch label="Active" {...form.getInputProps('is_active', { type: 'checkbox' })} />
      </Stack>
    </Card>
  );
}
