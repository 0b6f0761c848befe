import type { ProtectionView } from '../bridge/protection-view.ts';
import type { Notice } from './decision-notices.ts';

export interface StateNotices {
  update(view: ProtectionView, isEnrolled: boolean): void;
  end(): void;
}

/**
 * Notifies the user once if protection is lost and stays lost. A restart takes a moment and needs no notification.
 */
export function createStateNotices(delayMs: number, notify: (notice: Notice) => void): StateNotices {
  let wasProtected = false;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    update(view, isEnrolled) {
      if (isEnded) return;
      if (view.kind !== 'unprotected' || !isEnrolled) {
        clearTimeout(timer);
        timer = undefined;
        wasProtected = isEnrolled && (wasProtected || view.kind !== 'attention');
        return;
      }
      if (!wasProtected || timer !== undefined) return;
      timer = setTimeout(() => {
        wasProtected = false;
        timer = undefined;
        notify({ title: view.title, body: view.sentence, page: '#/', actions: [] });
      }, delayMs);
      // A notification is no reason to keep a quitting app running.
      timer.unref();
    },
    end() {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}
