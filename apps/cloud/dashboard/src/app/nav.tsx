import {
  IconActivityHeartbeat,
  IconApps,
  IconBuilding,
  IconCertificate,
  IconChartBar,
  IconDevices,
  IconFileCertificate,
  IconFlask2,
  IconGauge,
  IconHandStop,
  IconKey,
  IconMailbox,
  IconPlugConnected,
  IconShieldHalf,
  IconTestPipe,
  IconTool,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Role } from '../data/session.ts';

export interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  /** Lowest role that sees the item; if absent, all roles. The service checks again. */
  readonly minRole?: Role;
  /** Shows the number of pending requests. */
  readonly badge?: 'requests';
}

export const NAV: readonly { readonly title: string; readonly items: readonly NavItem[] }[] = [
  {
    title: 'Monitor',
    items: [
      { to: '/', label: 'Overview', icon: IconGauge },
      { to: '/events', label: 'Events', icon: IconActivityHeartbeat },
      { to: '/requests', label: 'Requests', icon: IconHandStop, badge: 'requests' },
      { to: '/devices', label: 'Devices', icon: IconDevices },
    ],
  },
  {
    title: 'Protection',
    items: [
      { to: '/projects', label: 'Projects', icon: IconApps },
      { to: '/policies', label: 'Policies', icon: IconShieldHalf },
      { to: '/playground', label: 'Playground', icon: IconFlask2 },
      { to: '/tools', label: 'Agent tools', icon: IconTool },
      { to: '/security-testing', label: 'Security testing', icon: IconTestPipe },
    ],
  },
  {
    title: 'Integrations',
    items: [
      { to: '/keys', label: 'API keys', icon: IconKey },
      { to: '/endpoints', label: 'Endpoints', icon: IconPlugConnected },
      { to: '/plan', label: 'Usage and plan', icon: IconChartBar },
    ],
  },
  {
    title: 'Organization',
    items: [
      { to: '/members', label: 'Members', icon: IconUsers },
      { to: '/audit', label: 'Audit log', icon: IconFileCertificate },
      { to: '/evidence', label: 'Evidence', icon: IconCertificate },
      { to: '/mail', label: 'Outbox', icon: IconMailbox, minRole: 'admin' },
      { to: '/settings', label: 'Settings', icon: IconBuilding, minRole: 'admin' },
    ],
  },
];
