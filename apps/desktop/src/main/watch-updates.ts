import type { AppUpdater } from 'electron-updater';
import type { UpdateState } from '../bridge/window-bridge.ts';

export type Updater = Pick<
  AppUpdater,
  | 'setFeedURL'
  | 'checkForUpdates'
  | 'quitAndInstall'
  | 'on'
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'allowDowngrade'
  | 'disableWebInstaller'
>;

export interface UpdateOptions {
  /** Null: the feed that the package was built with. */
  readonly url: string | null;
  readonly everyMs: number;
  readonly onChange: (state: UpdateState) => void;
}

export interface UpdateWatch {
  state(): UpdateState;
  install(): void;
  end(): void;
}

/** Looks for updates now and then, loads them, and installs them when the app ends or a person says so. */
export function watchUpdates(updater: Updater | null, options: UpdateOptions): UpdateWatch {
  let state: UpdateState = { kind: updater === null ? 'off' : 'current' };
  if (updater === null) return { state: () => state, install() {}, end() {} };
  const setState = (next: UpdateState): void => {
    state = next;
    options.onChange(state);
  };
  updater.autoDownload = true;
  updater.autoInstallOnAppQuit = true;
  // An old version may have the hole that a new one closed.
  updater.allowDowngrade = false;
  // Their parts may come unsigned.
  updater.disableWebInstaller = true;
  if (options.url !== null) updater.setFeedURL({ provider: 'generic', url: options.url });
  updater.on('update-available', ({ version }) => setState({ kind: 'loading', version }));
  updater.on('update-not-available', () => setState({ kind: 'current' }));
  updater.on('update-downloaded', ({ version }) => setState({ kind: 'ready', version }));
  updater.on('error', (error) => {
    const reason = `Updates cannot be looked for at the moment (${error.message.split('\n', 1)[0]}).`;
    setState({ kind: 'failed', reason });
  });
  // What goes wrong is told by the event, also while the update is loaded.
  const check = (): void =>
    void updater
      .checkForUpdates()
      .then((found) => found?.downloadPromise)
      .catch(() => null);
  check();
  const timer = setInterval(check, options.everyMs);
  return { state: () => state, install: () => updater.quitAndInstall(), end: () => clearInterval(timer) };
}
