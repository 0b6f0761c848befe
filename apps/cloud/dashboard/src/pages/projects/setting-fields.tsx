import {
  PROJECT_SETTINGS,
  SETTING_NAMES,
  type SettingBasis,
  type SettingChanges,
} from '@csg/shared/contract';
import { Select } from '@mantine/core';

/** One field per setting whose default follows strictness and fail mode. */
export function SettingFields(props: {
  readonly basis: SettingBasis;
  readonly values: SettingChanges;
  readonly onChange: (values: SettingChanges) => void;
  readonly disabled: boolean;
}) {
  const { basis, values, onChange, disabled } = props;
  return SETTING_NAMES.map((name) => {
    const { label, about, defaultFor } = PROJECT_SETTINGS[name];
    const options: Readonly<Record<string, string>> = PROJECT_SETTINGS[name].options;
    return (
      <Select
        key={name}
        label={label}
        description={about}
        data={[
          { value: DEFAULT, label: `Default: ${options[defaultFor(basis)]}` },
          ...Object.entries(options).map(([value, text]) => ({ value, label: text })),
        ]}
        value={values[name] ?? DEFAULT}
        disabled={disabled}
        allowDeselect={false}
        onChange={(value) =>
          onChange({ ...values, [name]: value === DEFAULT ? null : value } as SettingChanges)
        }
      />
    );
  });
}

const DEFAULT = '';
