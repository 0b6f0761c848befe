import {
  PROJECT_SETTINGS,
  SETTING_NAMES,
  type SettingBasis,
  type SettingChanges,
} from '@csg/shared/contract';
import { Select, TagsInput } from '@mantine/core';

/** One field per setting whose default follows strictness and fail mode. */
export function SettingFields(props: {
  readonly basis: SettingBasis;
  readonly values: SettingChanges;
  readonly onChange: (values: SettingChanges) => void;
  readonly disabled: boolean;
}) {
  const { basis, values, onChange, disabled } = props;
  return SETTING_NAMES.map((name) => {
    const { label, about } = PROJECT_SETTINGS[name];
    const options: Readonly<Record<string, string>> = PROJECT_SETTINGS[name].options;
    const own = values[name] ?? null;
    const set = (value: string | readonly string[] | Record<string, string[]> | null) =>
      onChange({ ...values, [name]: value } as SettingChanges);
    const byDefault = PROJECT_SETTINGS[name].defaultFor(basis);
    if (typeof byDefault !== 'string')
      return (
        <TagsInput
          key={name}
          label={label}
          description={about}
          placeholder="Tool name"
          data={[]}
          value={namesIn(own)}
          maxTags={500}
          disabled={disabled}
          onChange={(names) => {
            if (names.length === 0) set(null);
            else
              set(Array.isArray(byDefault) ? names : Object.fromEntries(names.map((one) => [one, SECRETS])));
          }}
        />
      );
    return (
      <Select
        key={name}
        label={label}
        description={about}
        data={[
          { value: DEFAULT, label: `Default: ${options[byDefault]}` },
          ...Object.entries(options).map(([value, text]) => ({ value, label: text })),
        ]}
        value={typeof own === 'string' ? own : DEFAULT}
        disabled={disabled}
        allowDeselect={false}
        onChange={(value) => set(value === DEFAULT ? null : value)}
      />
    );
  });
}

const DEFAULT = '';
/** All types of secrets. */
const SECRETS = ['api_key'];

function namesIn(value: SettingChanges[keyof SettingChanges]): string[] {
  if (Array.isArray(value)) return [...value];
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
