import type { Notification } from 'electron';
import type { Notice } from './decision-notices.ts';
import type { ElectronParts } from './electron-parts.ts';

/** Shows notifications; a click or a button opens a page of the window. */
export function createNotifier(
  { Notification: NewNotification }: Pick<ElectronParts, 'Notification'>,
  onPage: (page: string) => void,
): (notice: Notice | null) => void {
  /** References keep the notifications clickable; Electron drops notifications that are garbage collected. */
  const shown = new Set<Notification>();
  return (notice) => {
    if (notice === null || !NewNotification.isSupported()) return;
    const { title, body, page, actions } = notice;
    const one = new NewNotification({
      title,
      body,
      actions: actions.map(({ text }) => ({ type: 'button', text })),
    });
    one.on('click', () => onPage(page));
    one.on('action', ({ actionIndex }) => onPage(actions[actionIndex]?.page ?? page));
    for (const end of ['click', 'close', 'failed'] as const) one.on(end as 'close', () => shown.delete(one));
    shown.add(one);
    one.show();
  };
}
