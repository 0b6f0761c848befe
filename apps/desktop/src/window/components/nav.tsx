import { Group, NavLink, Text } from '@mantine/core';
import {
  IconEye,
  IconHandStop,
  IconHeartRateMonitor,
  IconLogin2,
  IconMessageQuestion,
  IconShield,
} from '@tabler/icons-react';
import type { ProtectionView } from '../../bridge/protection-view.ts';
import { StateIcon } from './state-icon.tsx';

const PAGES = [
  { to: '', label: 'Status', icon: IconShield },
  { to: 'decisions', label: 'Decisions', icon: IconHandStop },
  { to: 'requests', label: 'Requests', icon: IconMessageQuestion },
  { to: 'inspection', label: 'What is monitored?', icon: IconEye },
  { to: 'diagnosis', label: 'Diagnostics', icon: IconHeartRateMonitor },
] as const;
const PAGES_BEFORE_ENROLLMENT = [
  { to: '', label: 'Enroll', icon: IconLogin2 },
  { to: 'diagnosis', label: 'Diagnostics', icon: IconHeartRateMonitor },
] as const;

export function Nav(props: {
  readonly current: string;
  readonly view: ProtectionView;
  readonly isEnrolled: boolean;
}) {
  const pages = props.isEnrolled ? PAGES : PAGES_BEFORE_ENROLLMENT;
  return (
    <nav className="nav" aria-label="Main">
      <Group className="brand" gap="xs" px={8} pb="md" wrap="nowrap">
        <StateIcon kind={props.view.kind} size={26} />
        <div>
          <Text size="sm" fw={650} lh={1.2}>
            Content Security
          </Text>
          <Text size="xs" c="dimmed" lh={1.2}>
            {props.view.title}
          </Text>
        </div>
      </Group>
      <ul className="rows">
        {pages.map(({ to, label, icon: Icon }) => {
          const isCurrent = to === props.current || (to === '' && props.current === 'enroll');
          return (
            <li key={to} style={{ border: 0 }}>
              <NavLink
                href={`#/${to}`}
                label={label}
                active={isCurrent}
                leftSection={<Icon size={18} aria-hidden />}
                style={{ borderRadius: 'var(--mantine-radius-md)' }}
                {...(isCurrent && { 'aria-current': 'page' as const })}
              />
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
