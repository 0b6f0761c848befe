import type { ProtectionView } from '../bridge/protection-view.ts';

export type MenuEntry =
  | { readonly kind: 'line' }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'page'; readonly label: string; readonly page: string }
  | { readonly kind: 'quit'; readonly label: string };

export interface TrayFacts {
  readonly isEnrolled: boolean;
  /** Quitting ends the protection. */
  readonly endsAgent: boolean;
}

/** What the tray's menu holds. The state is its first line: a symbol alone tells nothing to who cannot see it. */
export function trayMenu(view: ProtectionView, { isEnrolled, endsAgent }: TrayFacts): readonly MenuEntry[] {
  const page = (label: string, to: string): MenuEntry => ({ kind: 'page', label, page: to });
  return [
    { kind: 'text', label: view.title },
    { kind: 'line' },
    ...(isEnrolled
      ? [
          page('Open', '#/'),
          page('Recent decisions', '#/decisions'),
          page('Requests', '#/requests'),
          page('What do you see of me?', '#/sight'),
        ]
      : [page('Enroll this computer …', '#/enroll')]),
    page('Diagnosis', '#/diagnosis'),
    { kind: 'line' },
    { kind: 'quit', label: endsAgent ? 'Quit and stop protecting' : 'Quit' },
  ];
}
