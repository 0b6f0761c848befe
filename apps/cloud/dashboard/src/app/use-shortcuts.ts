import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';

/** Pages by their key after `g`. */
export const GO_KEYS: Readonly<Record<string, { readonly to: string; readonly label: string }>> = {
  o: { to: '/', label: 'Overview' },
  e: { to: '/events', label: 'Events' },
  r: { to: '/requests', label: 'Requests' },
  d: { to: '/devices', label: 'Devices' },
  p: { to: '/policies', label: 'Policies' },
  k: { to: '/keys', label: 'API keys' },
  u: { to: '/plan', label: 'Usage and plan' },
  a: { to: '/audit', label: 'Audit log' },
};
const SEQUENCE_MS = 1_000;
const STORED = 'csg-shortcuts';

/** Single-key shortcuts interfere with some assistive technology, so they can be disabled (WCAG 2.1.4). */
export const areShortcutsOn = () => localStorage.getItem(STORED) !== 'off';
export const storeShortcuts = (isOn: boolean) => localStorage.setItem(STORED, isOn ? 'on' : 'off');

/** Ctrl or Cmd with K opens the palette; `?` opens the list of shortcuts; `g` and a letter open a page. */
export function useShortcuts(open: (what: 'palette' | 'shortcuts') => void): void {
  const navigate = useNavigate();
  const handler = useRef<(event: KeyboardEvent) => void>(() => {});
  const lastG = useRef(0);
  handler.current = (event) => {
    if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey) {
      event.preventDefault();
      open('palette');
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event) || !areShortcutsOn()) return;
    const target = GO_KEYS[event.key];
    if (event.timeStamp - lastG.current < SEQUENCE_MS && target !== undefined) navigate(target.to);
    else if (event.key === '?') open('shortcuts');
    lastG.current = event.key === 'g' ? event.timeStamp : 0;
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handler.current(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // In a dialog, keys belong to it.
  return (
    target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !== null
  );
}
