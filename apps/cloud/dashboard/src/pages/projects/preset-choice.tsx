import type { FailMode, StrictnessLevel, UseCase } from '@csg/shared/contract';
import { Input, Radio, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { namesOf, STRICTNESS_LABELS, USE_CASE_LABELS } from '../../data/labels.ts';

/** Use case and strictness with their descriptions. */
export function PresetChoice(props: {
  readonly useCase: UseCase;
  readonly strictness: StrictnessLevel;
  readonly onUseCase: (value: UseCase) => void;
  readonly onStrictness: (value: StrictnessLevel) => void;
  readonly disabled?: boolean;
}) {
  const { useCase, strictness, disabled = false } = props;
  return (
    <>
      <Select
        label="Use case"
        description={USE_CASE_LABELS[useCase].about}
        data={namesOf(USE_CASE_LABELS).map((value) => ({ value, label: USE_CASE_LABELS[value].name }))}
        value={useCase}
        disabled={disabled}
        allowDeselect={false}
        onChange={(value) => value !== null && props.onUseCase(value as UseCase)}
      />
      <Input.Wrapper
        label="Strictness"
        description={STRICTNESS_LABELS[strictness].about}
        labelElement="div"
        id="strictness"
      >
        <SegmentedControl
          fullWidth
          mt={6}
          aria-label="Strictness"
          disabled={disabled}
          value={strictness}
          onChange={(value) => props.onStrictness(value as StrictnessLevel)}
          data={namesOf(STRICTNESS_LABELS)
            .toReversed()
            .map((value) => ({ value, label: STRICTNESS_LABELS[value].name }))}
        />
      </Input.Wrapper>
    </>
  );
}

const FAIL_MODES: Readonly<Record<FailMode, { readonly name: string; readonly about: string }>> = {
  open: {
    name: 'Allow the request (fail open)',
    about: 'The application keeps working. The event is marked as not scanned.',
  },
  closed: {
    name: 'Block the request (fail closed)',
    about: 'Nothing is forwarded unscanned. The application receives 503 detection_unavailable.',
  },
};

export function FailModeChoice(props: {
  readonly value: FailMode;
  readonly onChange: (value: FailMode) => void;
  readonly disabled?: boolean;
}) {
  return (
    <Radio.Group
      label="If scanning fails"
      value={props.value}
      onChange={(value) => props.onChange(value as FailMode)}
    >
      <Stack gap="xs" mt="xs">
        {namesOf(FAIL_MODES).map((value) => (
          <Radio
            key={value}
            value={value}
            disabled={props.disabled ?? false}
            label={FAIL_MODES[value].name}
            description={<Text inherit>{FAIL_MODES[value].about}</Text>}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
