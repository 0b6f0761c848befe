import { Group, SegmentedControl, Select } from '@mantine/core';
import { namesOf, THREAT_LABELS } from '../../data/labels.ts';
import { projectChoices, useProjects } from '../../data/projects.ts';

const SPANS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;
const FIELDS = ['decision', 'threat_type', 'direction', 'project_id', 'key_id', 'device_id'] as const;
const HOUR_MS = 3_600_000;
/** The start of a period moves in steps, so that the same filter keeps the same cache key for a while. */
const STEP_MS = 60_000;

/** The filter in the URL, as query parameters of the service. */
export function readFilter(params: URLSearchParams): Record<string, string> {
  const filter: Record<string, string> = {};
  for (const name of FIELDS) {
    const value = params.get(name);
    if (value !== null) filter[name] = value;
  }
  const hours = SPANS[params.get('span') as keyof typeof SPANS];
  if (hours !== undefined) {
    const fromMs = Math.floor(Date.now() / STEP_MS) * STEP_MS - hours * HOUR_MS;
    filter['from'] = new Date(fromMs).toISOString();
  }
  return filter;
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
        w={165}
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
        ]}
      />
    </Group>
  );
}
