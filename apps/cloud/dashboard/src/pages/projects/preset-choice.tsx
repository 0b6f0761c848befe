import type { FailMode, StrictnessLevel, UseCase } from '@csg/shared/contract';
import { Input, Radio, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { namesOf, STRICTNESS_LABELS, USE_CASE_LABELS } from '../../data/labels.ts';

/** Use case and strictness; each says what it means. */
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
        label="What its texts are for"
        description={USE_CASE_LABELS[useCase].about}
        data={namesOf(USE_CASE_LABELS).map((value) => ({ value, label: USE_CASE_LABELS[value].name }))}
        value={useCase}
        disabled={disabled}
        allowDeselect={false}
        onChange={(value) => value !== null && props.onUseCase(value as UseCase)}
      />
      <Input.Wrapper
        label="How strict"
        description={STRICTNESS_LABELS[strictness].about}
        labelElement="div"
        id="strictness"
      >
        <SegmentedControl
          fullWidth
          mt={6}
          aria-label="How strict"
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
    name: 'Let it through (fail open)',
    about: 'The application goes on; the event says that it was not scanned.',
  },
  closed: {
    name: 'Stop it (fail closed)',
    about: 'Nothing passes unscanned; the application gets 503 detection_unavailable.',
  },
};

export function FailModeChoice(props: {
  readonly value: FailMode;
  readonly onChange: (value: FailMode) => void;
  readonly disabled?: boolean;
}) {
  return (
    <Radio.Group
      label="When a scan cannot run"
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
