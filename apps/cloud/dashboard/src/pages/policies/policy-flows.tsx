import {
  Button,
  Card,
  Group,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Stack,
  Switch,
  TagsInput,
  Text,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Section } from '../../components/page.tsx';
import { namesOf } from '../../data/labels.ts';
import { EMPTY_FLOW_RULE } from './flow-rule-values.ts';
import type { PolicyFormValues } from './policy-form-values.ts';
import { DATA_SOURCE_LABELS, FLOW_VALUE_LABELS, TOOL_EFFECT_LABELS } from './policy-labels.ts';

interface RuleProps {
  readonly form: UseFormReturnType<PolicyFormValues>;
  readonly index: number;
}

/** Rules about tool calls: which values must not reach which tools, and how many calls a conversation may contain. */
export function PolicyFlows(props: {
  readonly form: UseFormReturnType<PolicyFormValues>;
  /** The saved rules as sentences. */
  readonly texts: readonly string[];
}) {
  const { form, texts } = props;
  return (
    <Card>
      <Section
        title="Tool calls"
        about="Restrict what agents do with values from untrusted data. Values that the user or the developer wrote are never restricted."
      >
        <Stack gap="lg">
          {texts.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
          {form.values.flows.map((_rule, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: edited in place
            <FlowRuleFields key={index} form={form} index={index} />
          ))}
          <Button
            size="xs"
            variant="default"
            w="fit-content"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('flows', EMPTY_FLOW_RULE)}
          >
            Add tool call rule
          </Button>
        </Stack>
      </Section>
    </Card>
  );
}

function FlowRuleFields({ form, index }: RuleProps) {
  const isLimit = form.values.flows[index]?.isLimit === true;
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={`Kind of tool call rule ${index + 1}`}
        value={isLimit ? 'limit' : 'flow'}
        onChange={(kind) => form.setFieldValue(`flows.${index}.isLimit`, kind === 'limit')}
        data={[
          { value: 'flow', label: 'Restrict values' },
          { value: 'limit', label: 'Limit calls' },
        ]}
      />
      {!isLimit && <SourceFields form={form} index={index} />}
      <Group grow align="flex-start">
        <TagsInput
          label="Called tools"
          description="Matched as in the tool lists."
          placeholder="Any with effects"
          acceptValueOnBlur
          {...form.getInputProps(`flows.${index}.tools`)}
        />
        <MultiSelect
          label="Effects"
          description="Or tools with these effects."
          placeholder="Any"
          data={namesOf(TOOL_EFFECT_LABELS).map((value) => ({ value, label: TOOL_EFFECT_LABELS[value] }))}
          clearable
          {...form.getInputProps(`flows.${index}.effects`)}
        />
      </Group>
      {isLimit && (
        <NumberInput
          label="Calls allowed per conversation"
          min={0}
          max={10_000}
          allowDecimal={false}
          {...form.getInputProps(`flows.${index}.max_calls`)}
        />
      )}
      <Group justify="space-between">
        <Switch
          label="Allow after approval"
          {...form.getInputProps(`flows.${index}.needs_approval`, { type: 'checkbox' })}
        />
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconTrash size={14} />}
          onClick={() => form.removeListItem('flows', index)}
        >
          Remove rule
        </Button>
      </Group>
      {form.errors[`flows.${index}`] && (
        <Text size="xs" c="red" role="alert">
          {form.errors[`flows.${index}`]}
        </Text>
      )}
    </Stack>
  );
}

/** Sources and kinds of the values. */
function SourceFields({ form, index }: RuleProps) {
  return (
    <>
      <Group grow align="flex-start">
        <MultiSelect
          label="Values from"
          description="Kinds of untrusted data."
          placeholder="Any"
          data={namesOf(DATA_SOURCE_LABELS).map((value) => ({ value, label: DATA_SOURCE_LABELS[value] }))}
          clearable
          {...form.getInputProps(`flows.${index}.from`)}
        />
        <TagsInput
          label="Returned by tools"
          description="Or data that these tools returned."
          placeholder="Any"
          acceptValueOnBlur
          {...form.getInputProps(`flows.${index}.from_tools`)}
        />
      </Group>
      <MultiSelect
        label="Values"
        placeholder="Any"
        data={namesOf(FLOW_VALUE_LABELS).map((value) => ({ value, label: FLOW_VALUE_LABELS[value] }))}
        clearable
        {...form.getInputProps(`flows.${index}.values`)}
      />
    </>
  );
}
