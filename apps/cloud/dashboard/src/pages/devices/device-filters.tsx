import type { DeviceRecord } from '@csg/shared/contract';
import { Select } from '@mantine/core';
import { PLATFORM_LABELS } from '../../data/labels.ts';

const DAY_MS = 86_400_000;
const SEEN = [
  { value: '24h', label: 'In the last 24 hours' },
  { value: 'not-7d', label: 'Not in the last 7 days' },
  { value: 'not-30d', label: 'Not in the last 30 days' },
];
const versionOf = ({ agent_version }: DeviceRecord): string => agent_version ?? 'unknown';

/** Returns whether a device has the system, version and time of its last report that the URL names. */
export function isWanted(device: DeviceRecord, params: URLSearchParams): boolean {
  const [platform, version, seen] = ['platform', 'version', 'seen'].map((name) => params.get(name));
  const isOfSystem = !platform || device.platform === platform;
  return isOfSystem && (!version || versionOf(device) === version) && wasSeen(device, seen ?? '');
}

function wasSeen({ last_seen_at: at }: DeviceRecord, wanted: string): boolean {
  const [, not, count, unit] = /^(not-)?(\d+)([hd])$/.exec(wanted) ?? [];
  if (count === undefined) return true;
  const spanMs = (Number(count) * DAY_MS) / (unit === 'h' ? 24 : 1);
  const isWithin = at !== null && Date.parse(at) >= Date.now() - spanMs;
  return (not === undefined) === isWithin;
}

/** By system, version and last report. */
export function DeviceFilters(props: {
  readonly devices: readonly DeviceRecord[] | undefined;
  readonly params: URLSearchParams;
  readonly onChange: (name: string, value: string | null) => void;
}) {
  const { devices = [] } = props;
  const platforms = [...new Set(devices.map(({ platform }) => platform))].toSorted();
  const versions = [...new Set(devices.map(versionOf))].toSorted((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  );
  return [
    {
      name: 'platform',
      label: 'All systems',
      data: platforms.map((value) => ({ value: value as string, label: PLATFORM_LABELS[value] })),
    },
    {
      name: 'version',
      label: 'All versions',
      data: versions.map((value) => ({ value, label: value })),
    },
    { name: 'seen', label: 'Reported at any time', data: SEEN },
  ].map(({ name, label, data }) => (
    <Select
      key={name}
      size="xs"
      aria-label={label}
      data={[{ value: '', label }, ...data]}
      value={props.params.get(name) ?? ''}
      allowDeselect={false}
      onChange={(value) => props.onChange(name, value)}
    />
  ));
}
