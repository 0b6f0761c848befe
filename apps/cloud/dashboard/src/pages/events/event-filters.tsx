import { Group, NativeSelect, Pill, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { FromToFields } from '../../components/from-to-fields.tsx';
import { namesOf, THREAT_LABELS } from '../../data/labels.ts';
import { useNames } from '../../data/names.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';
import { MoreFilters } from './more-filters.tsx';

const SPANS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;
const FIELDS = [
  ...(['q', 'decision', 'threat_type', 'direction', 'model'] as const),
  ...(['project_id', 'key_id', 'device_id', 'policy_id', 'user_id', 'rule'] as const),
  ...(['session', 'tag'] as const),
] as const;
/** Set by links from other pages and by further filters; shown with a button that removes them. */
const LINKED = {
  ...{ user_id: 'Person', key_id: 'API key', device_id: 'Device', policy_id: 'Policy' },
  ...{ rule: 'Rule', model: 'Model', session: 'Session', tag: 'Tag' },
} as const;
const HOUR_MS = 3_600_000;
/** The start of a period moves in steps, so that the same filter keeps its cache key for a while. */
const STEP_MS = 60_000;

/** The filter in the URL, as query parameters of the service. */
export function readFilter(params: URLSearchParams): Record<string, string> {
  const filter: Record<string, string> = {};
  for (const name of FIELDS) {
    const value = params.get(name);
    if (value !== null) filter[name] = value;
  }
  if (params.get('span') === 'custom') {
    for (const name of ['from', 'to'] as const) {
      const time = Date.parse(params.get(name) ?? '');
      if (Number.isFinite(time)) filter[name] = new Date(time).toISOString();
    }
  }
  const hours = SPANS[params.get('span') as keyof typeof SPANS];
  if (hours !== undefined) {
    const fromMs = Math.floor(Date.now() / STEP_MS) * STEP_MS - hours * HOUR_MS;
    filter['from'] = new Date(fromMs).toISOString();
  }
  return filter;
}

/** The order in the URL, as query parameters of the service; default: newest first. */
export function readOrder(params: URLSearchParams): { readonly sort: string; readonly order: string } {
  return {
    sort: params.get('sort') === 'confidence' ? 'confidence' : 'time',
    order: params.get('order') === 'asc' ? 'asc' : 'desc',
  };
}

export function withOrder(params: URLSearchParams, sort: string, order: string): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete('sort');
  next.delete('order');
  if (sort !== 'time') next.set('sort', sort);
  if (order !== 'desc') next.set('order', order);
  return next;
}

const ORDERS = [
  { value: 'time desc', label: 'Newest first' },
  { value: 'time asc', label: 'Oldest first' },
  { value: 'confidence desc', label: 'Highest confidence first' },
  { value: 'confidence asc', label: 'Lowest confidence first' },
];

function Search(props: { readonly text: string; readonly onSearch: (text: string) => void }) {
  const [text, setText] = useState(props.text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onSearch(text.trim());
      }}
    >
      <TextInput
        type="search"
        aria-label="Search events"
        placeholder="ID, rule, key, device, person"
        size="xs"
        w={230}
        maxLength={200}
        leftSection={<IconSearch size={14} />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          if (event.currentTarget.value === '') props.onSearch('');
        }}
      />
    </form>
  );
}

export function EventFilters(props: {
  readonly params: URLSearchParams;
  readonly onChange: (params: URLSearchParams) => void;
}) {
  const { params } = props;
  const projects = useProjects();
  const set = (name: string, value: string | null) => {
    const next = new URLSearchParams(params);
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
    props.onChange(next);
  };
  return (
    <Group mb="sm" gap="sm">
      <Search key={params.get('q')} text={params.get('q') ?? ''} onSearch={(text) => set('q', text)} />
      <SegmentedControl
        aria-label="Decision"
        size="xs"
        value={params.get('decision') ?? ''}
        onChange={(value) => set('decision', value)}
        data={[
          { value: '', label: 'All' },
          { value: 'block', label: 'Blocked' },
          { value: 'redact', label: 'Redacted' },
          { value: 'allow', label: 'Allowed' },
        ]}
      />
      <Select
        aria-label="Threat"
        placeholder="Any threat"
        size="xs"
        w={165}
        clearable
        value={params.get('threat_type')}
        onChange={(value) => set('threat_type', value)}
        data={namesOf(THREAT_LABELS).map((value) => ({ value, label: THREAT_LABELS[value] }))}
      />
      <Select
        aria-label="Direction"
        placeholder="Prompts and responses"
        size="xs"
        w={190}
        clearable
        value={params.get('direction')}
        onChange={(value) => set('direction', value)}
        data={[
          { value: 'input', label: 'Prompts' },
          { value: 'output', label: 'Responses' },
        ]}
      />
      <Select
        aria-label="Project"
        placeholder="All projects"
        size="xs"
        w={130}
        clearable
        value={params.get('project_id')}
        onChange={(value) => set('project_id', value)}
        data={projectChoices(projects.data)}
      />
      <Select
        aria-label="Time"
        placeholder="Any time"
        size="xs"
        w={120}
        clearable
        value={params.get('span')}
        onChange={(value) => set('span', value)}
        data={[
          { value: '1h', label: 'Last hour' },
          { value: '24h', label: 'Last 24 hours' },
          { value: '7d', label: 'Last 7 days' },
          { value: '30d', label: 'Last 30 days' },
          { value: 'custom', label: 'Custom' },
        ]}
      />
      {params.get('span') === 'custom' && (
        <FromToFields type="datetime-local" params={params} onChange={set} />
      )}
      <OrderChoice params={params} onChange={props.onChange} />
      <MoreFilters params={params} onChange={set} />
      {namesOf(LINKED).map((name) => {
        const value = params.get(name);
        return value === null ? null : (
          <FilterPill key={name} label={LINKED[name]} value={value} onRemove={() => set(name, null)} />
        );
      })}
    </Group>
  );
}

/** For narrow screens, where rows are cards without column titles. */
function OrderChoice(props: {
  readonly params: URLSearchParams;
  readonly onChange: (params: URLSearchParams) => void;
}) {
  const { sort, order } = readOrder(props.params);
  return (
    <NativeSelect
      aria-label="Order"
      hiddenFrom="sm"
      size="xs"
      value={`${sort} ${order}`}
      data={ORDERS}
      onChange={(event) => {
        const [by = '', direction = ''] = event.currentTarget.value.split(' ');
        props.onChange(withOrder(props.params, by, direction));
      }}
    />
  );
}

/** A component of its own, so that the names are loaded only if there is a filter to show. */
function FilterPill(props: {
  readonly label: string;
  readonly value: string;
  readonly onRemove: () => void;
}) {
  const { label, value } = props;
  const name = useNames()(value);
  return (
    <Pill
      withRemoveButton
      onRemove={props.onRemove}
      // Hidden from the keyboard and screen readers by default.
      removeButtonProps={{ 'aria-label': `Remove filter ${label}`, 'aria-hidden': false, tabIndex: 0 }}
    >
      {name === value ? `${label}: ${value}` : name}
    </Pill>
  );
}
