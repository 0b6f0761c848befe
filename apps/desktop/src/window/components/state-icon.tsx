import {
  IconShieldCheckFilled,
  IconShieldExclamation,
  IconShieldPause,
  IconShieldX,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ProtectionKind } from '../../bridge/protection-view.ts';

const STATE_ICONS: Readonly<Record<ProtectionKind, { readonly icon: TablerIcon; readonly color: string }>> = {
  protected: { icon: IconShieldCheckFilled, color: 'teal' },
  attention: { icon: IconShieldExclamation, color: 'orange' },
  unprotected: { icon: IconShieldX, color: 'red' },
  paused: { icon: IconShieldPause, color: 'blue' },
};

/** Sufficient contrast in both themes. */
export function iconColor(color: string): string {
  return `light-dark(var(--mantine-color-${color}-8), var(--mantine-color-${color}-5))`;
}

/** Shape and color; the label is always next to it. */
export function StateIcon(props: { readonly kind: ProtectionKind; readonly size: number }) {
  const { icon: Icon, color } = STATE_ICONS[props.kind];
  return <Icon size={props.size} aria-hidden style={{ flex: 'none', color: iconColor(color) }} />;
}
