import type { DeviceRecord, KeyRecord, MemberRecord, PolicyDetail } from '@csg/shared/contract';
import { Button, Popover, Select, Stack, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { useApiQuery } from '../../data/hooks.ts';

const ANY = { searchable: true, clearable: true, size: 'xs', nothingFoundMessage: 'No matches' } as const;

type OnChange = (name: string, value: string | null) => void;

/** Filters that are rarely needed. The pills next to the button remove their values. */
export function MoreFilters(props: { readonly params: URLSearchParams; readonly onChange: OnChange }) {
  return (
    <Popover width={300} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconFilter size={14} />}>
          More filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="More filters">
        <Fields {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Fields(props: { readonly params: URLSearchParams; readonly onChange: OnChange }) {
  const { params, onChange } = props;
  const members = useApiQuery<MemberRecord[]>('/members');
  const keys = useApiQuery<KeyRecord[]>('/keys');
  const devices = useApiQuery<DeviceRecord[]>('/devices');
  const policies = useApiQuery<{ policies: PolicyDetail[] }>('/policies');
  const inPopover = { comboboxProps: { withinPortal: false } };
  return (
    <Stack gap="xs">
      <Select
        {...ANY}
        {...inPopover}
        label="Person"
        description="By their API keys and devices."
        placeholder="Any person"
        limit={50}
        value={params.get('user_id')}
        onChange={(value) => onChange('user_id', value)}
        data={(members.data ?? []).map(({ user_id, name, email }) => ({
          value: user_id,
          label: name === null ? email : `${name} (${email})`,
        }))}
      />
      <Select
        {...ANY}
        {...inPopover}
        label="API key"
        placeholder="Any API key"
        value={params.get('key_id')}
        onChange={(value) => onChange('key_id', value)}
        data={(keys.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Select
        {...ANY}
        {...inPopover}
        label="Device"
        placeholder="Any device"
        limit={50}
        value={params.get('device_id')}
        onChange={(value) => onChange('device_id', value)}
        data={(devices.data ?? []).map(({ id, name, user_email }) => ({
          value: id,
          label: user_email === null ? name : `${name} (${user_email})`,
        }))}
      />
      <Select
        {...ANY}
        {...inPopover}
        label="Decided by policy"
        placeholder="Any policy"
        value={params.get('policy_id')}
        onChange={(value) => onChange('policy_id', value)}
        data={(policies.data?.policies ?? [])
          .filter(({ from_preset }) => !from_preset)
          .map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextFilter name="rule" label="Rule" description="Its id, such as pii.email. Press Enter." {...props} />
      <TextFilter name="model" label="Model" description="Its exact name. Press Enter." {...props} />
    </Stack>
  );
}

function TextFilter(props: {
  readonly name: 'rule' | 'model';
  readonly label: string;
  readonly description: string;
  readonly params: URLSearchParams;
  readonly onChange: OnChange;
}) {
  const { name, label, description } = props;
  const [text, setText] = useState(props.params.get(name) ?? '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onChange(name, text.trim());
      }}
    >
      <TextInput
        size="xs"
        label={label}
        description={description}
        maxLength={255}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
