import type { MemberRecord } from '@csg/shared/contract';
import { Box, Button, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FromToFields } from '../../components/from-to-fields.tsx';
import { useApiQuery } from '../../data/hooks.ts';
import { kindLabel } from './entry-words.ts';

const FIELDS = ['actor', 'kind', 'address', 'from', 'to'] as const;
const DAY_MS = 86_400_000;

/** The filter in the URL, as query parameters of the service. Days are those of the reader. */
export function readAuditFilter(params: URLSearchParams): Record<string, string> {
  const filter: Record<string, string> = { only: params.get('only') ?? 'changes' };
  if (filter['only'] === 'all') delete filter['only'];
  for (const name of ['actor', 'kind', 'address'] as const) {
    const value = params.get(name);
    if (value) filter[name] = value;
  }
  for (const name of ['from', 'to'] as const) {
    const day = new Date(`${params.get(name)}T00:00`).getTime();
    // The last day is included.
    if (Number.isFinite(day)) filter[name] = new Date(name === 'to' ? day + DAY_MS : day).toISOString();
  }
  return filter;
}

/** Kinds that are often looked for; those of the entries shown are added. */
const KINDS = [
  ...(['signed_in', 'password_changed', 'member_added', 'member_removed', 'member_role_changed'] as const),
  ...(['project_role_changed', 'invitation_created', 'organization_changed', 'sso_changed'] as const),
  ...(['organization_token_created', 'organization_token_removed', 'role_map_changed'] as const),
  ...(['project_created', 'project_changed', 'project_deleted', 'retention_changed'] as const),
  ...(['policy_created', 'policy_changed', 'policy_deleted', 'policies_reordered'] as const),
  ...(['key_created', 'key_revealed', 'key_rotated', 'key_disabled', 'key_deleted'] as const),
  ...(['key_limits_changed', 'provider_credential_set', 'provider_credential_removed'] as const),
  ...(['exception_requested', 'exception_approved', 'exception_denied', 'exception_cancelled'] as const),
  ...(['tool_request_approved', 'tool_review_approved', 'text_allowed', 'tool_lists_changed'] as const),
  ...(['device_enrolled', 'device_revoked', 'device_assigned', 'fleet_settings_changed'] as const),
  ...(['webhook_changed', 'policy_webhook_changed', 'audit_exported', 'audit_target_changed'] as const),
  ...(['alert_created', 'alert_removed'] as const),
  ...(['events_deleted', 'person_erased', 'plan_changed'] as const),
];

export function AuditFilters(props: {
  readonly params: URLSearchParams;
  /** Kinds of the entries shown. */
  readonly kinds: readonly string[];
  readonly seesAddresses: boolean;
  readonly onChange: (params: URLSearchParams) => void;
}) {
  const { params } = props;
  const members = useApiQuery<MemberRecord[]>('/members');
  const change = (name: string, value: string | null) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    props.onChange(next);
  };
  const actor = params.get('actor');
  const people = [
    ...(members.data ?? []).map(({ user_id, name, email }) => ({ value: user_id, label: name ?? email })),
    { value: 'operator', label: 'Operator (command line)' },
    { value: 'system', label: 'Service' },
  ];
  const kinds = [
    ...new Set([...KINDS, ...props.kinds, ...(params.get('kind') ? [params.get('kind')!] : [])]),
  ];
  return (
    <Group gap="sm" align="center">
      <SegmentedControl
        size="xs"
        aria-label="Filter entries"
        value={params.get('only') ?? 'changes'}
        onChange={(only) => change('only', only)}
        data={[
          { value: 'changes', label: 'Admin activity' },
          { value: 'decisions', label: 'Decisions' },
          { value: 'all', label: 'All' },
        ]}
      />
      <Select
        {...{ 'aria-label': 'Person', placeholder: 'Anyone', size: 'xs', w: { base: '47%', sm: 180 } }}
        clearable
        searchable
        value={actor}
        onChange={(value) => change('actor', value)}
        data={
          actor === null || people.some(({ value }) => value === actor)
            ? people
            : [...people, { value: actor, label: actor }]
        }
      />
      <Select
        {...{ 'aria-label': 'Kind', placeholder: 'Any kind', size: 'xs', w: { base: '47%', sm: 200 } }}
        clearable
        searchable
        value={params.get('kind')}
        onChange={(value) => change('kind', value)}
        data={kinds
          .map((value) => ({ value, label: kindLabel(value) }))
          .toSorted((a, b) => a.label.localeCompare(b.label))}
      />
      <FromToFields type="date" w={{ base: '47%', sm: 160 }} params={params} onChange={change} />
      {props.seesAddresses && (
        <AddressField
          key={params.get('address')}
          address={params.get('address') ?? ''}
          onChange={(address) => change('address', address)}
        />
      )}
      {FIELDS.some((name) => params.has(name)) && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => {
            const next = new URLSearchParams(params);
            for (const name of FIELDS) next.delete(name);
            props.onChange(next);
          }}
        >
          Clear filters
        </Button>
      )}
    </Group>
  );
}

/** Applied when it is complete: with the Enter key, or when the field is left. */
function AddressField(props: { readonly address: string; readonly onChange: (address: string) => void }) {
  const [text, setText] = useState(props.address);
  const apply = () => {
    if (text.trim() !== props.address) props.onChange(text.trim());
  };
  return (
    <Box
      component="form"
      w={{ base: '47%', sm: 160 }}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextInput
        {...{ 'aria-label': 'Address', placeholder: 'IP address', size: 'xs', maxLength: 64 }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </Box>
  );
}
