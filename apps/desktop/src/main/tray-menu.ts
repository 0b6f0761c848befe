import type { ProtectionView } from '../bridge/protection-view.ts';

export type MenuEntry =
  | { readonly kind: 'line' }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'page'; readonly label: string; readonly page: string }
  | { readonly kind: 'quit'; readonly label: string };

export interface TrayFacts {
  readonly isEnrolled: boolean;
  /** Quitting also stops the agent. */
  readonly endsAgent: boolean;
}

/** The tray menu. Its first line is the state, because an icon alone is not accessible. */
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
          page('What is monitored?', '#/inspection'),
        ]
      : [page('Enroll this computer…', '#/enroll')]),
    page('Diagnostics', '#/diagnosis'),
    { kind: 'line' },
    { kind: 'quit', label: endsAgent ? 'Quit and stop protection' : 'Quit' },
  ];
}
