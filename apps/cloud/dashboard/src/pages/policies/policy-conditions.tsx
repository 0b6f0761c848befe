import type { WeekDay } from '@csg/shared/contract';
import {
  ActionIcon,
  Button,
  Card,
  Chip,
  Group,
  MultiSelect,
  NumberInput,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import { Section } from '../../components/page.tsx';
import { namesOf, OPT_IN_PII_LABELS, PII_LABELS } from '../../data/labels.ts';
import type { PolicyFormValues } from './policy-form-values.ts';
import { DAY_LABELS, ROLE_LABELS } from './policy-labels.ts';

function optionsOf<Name extends string>(labels: Readonly<Record<Name, string>>) {
  return namesOf(labels).map((value) => ({ value, label: labels[value] }));
}

/** All given conditions must match; an empty one always matches. */
export function PolicyConditions(props: { readonly form: UseFormReturnType<PolicyFormValues> }) {
  const { form } = props;
  const tags = { placeholder: 'Any', acceptValueOnBlur: true };
  return (
    <Card>
      <Section title="Conditions" about="All conditions must match. Empty means any.">
        <TagsInput
          label="Destination hosts"
          description="For example api.openai.com, or *.openai.com for all subdomains."
          {...tags}
          {...form.getInputProps('hosts')}
        />
        <Group grow align="flex-start">
          <TagsInput label="Providers" {...tags} {...form.getInputProps('providers')} />
          <TagsInput label="Models" {...tags} {...form.getInputProps('models')} />
        </Group>
        <MultiSelect
          label="Author"
          placeholder={form.values.roles.length === 0 ? 'Any' : ''}
          data={optionsOf(ROLE_LABELS)}
          clearable
          {...form.getInputProps('roles')}
        />
        <MultiSelect
          label="Types of personal data and secrets"
          description="For example, only card numbers. Does not restrict other threats of this policy."
          placeholder={form.values.pii_types.length === 0 ? 'Any' : ''}
          data={[
            { group: 'In every project', items: optionsOf(PII_LABELS) },
            {
              group: 'Opt-in: detected only if a policy names them',
              items: optionsOf(OPT_IN_PII_LABELS),
            },
          ]}
          clearable
          {...form.getInputProps('pii_types')}
        />
        <TagsInput
          label="Allowed values"
          description="Exact personal data or secrets that this policy allows, such as support@your-company.com or a test card number. Stored and shown unmasked."
          placeholder={form.values.allowed_values.length === 0 ? 'None' : ''}
          acceptValueOnBlur
          splitChars={['\n']}
          maxTags={100}
          {...form.getInputProps('allowed_values')}
        />
        <TagsInput
          label="Detection rules"
          description="Rule IDs as shown in events, for example pii.credit-card; * matches anything."
          {...tags}
          {...form.getInputProps('rules')}
        />
        <Group grow align="flex-start">
          <NumberInput
            label="Confidence from"
            description="At least this confidence. Replaces the preset threshold."
            placeholder="Any"
            suffix="%"
            min={0}
            max={100}
            decimalScale={2}
            {...form.getInputProps('minConfidence')}
          />
          <NumberInput
            label="Confidence below"
            description="Matches only findings below this confidence."
            placeholder="Any"
            suffix="%"
            min={0}
            max={100}
            decimalScale={2}
            {...form.getInputProps('belowConfidence')}
          />
        </Group>
        <MultiSelect
          label="Direction"
          placeholder={form.values.directions.length === 0 ? 'Both' : ''}
          data={[
            { value: 'input', label: 'Prompts' },
            { value: 'output', label: 'Responses' },
          ]}
          {...form.getInputProps('directions')}
        />
        <Switch label="Limit to a schedule" {...form.getInputProps('hasSchedule', { type: 'checkbox' })} />
        {form.values.hasSchedule && <Schedule form={form} />}
      </Section>
    </Card>
  );
}

function Schedule(props: { readonly form: UseFormReturnType<PolicyFormValues> }) {
  const { form } = props;
  const { windows } = form.values;
  const set = (index: number, change: Partial<PolicyFormValues['windows'][number]>) =>
    form.setFieldValue(
      'windows',
      windows.map((window, i) => (i === index ? { ...window, ...change } : window)),
    );
  return (
    <Stack gap="sm">
      <TextInput label="Time zone" maxLength={64} {...form.getInputProps('time_zone')} />
      {windows.map((window, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: windows have no names
        <Group key={index} align="flex-end" gap="sm">
          <Chip.Group
            multiple
            value={window.days}
            onChange={(days) => set(index, { days: days as WeekDay[] })}
          >
            <Group gap={4}>
              {namesOf(DAY_LABELS).map((day) => (
                <Chip key={day} value={day} size="xs">
                  {DAY_LABELS[day]}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          <Group gap="sm" wrap="nowrap" align="flex-end">
            <TextInput
              type="time"
              label="From"
              size="xs"
              value={window.from}
              onChange={(change) => set(index, { from: change.currentTarget.value })}
            />
            <TextInput
              type="time"
              label="To"
              size="xs"
              value={window.to}
              onChange={(change) => set(index, { to: change.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Remove time window"
              disabled={windows.length === 1}
              onClick={() =>
                form.setFieldValue(
                  'windows',
                  windows.filter((_window, i) => i !== index),
                )
              }
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Group>
      ))}
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        onClick={() =>
          form.setFieldValue('windows', [...windows, { days: ['sat', 'sun'], from: '00:00', to: '23:59' }])
        }
      >
        Add time window
      </Button>
    </Stack>
  );
}
