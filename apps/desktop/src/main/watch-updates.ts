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
  /** Null for the feed that the package was built with. */
  readonly url: string | null;
  readonly everyMs: number;
  readonly onChange: (state: UpdateState) => void;
}

export interface UpdateWatch {
  state(): UpdateState;
  install(): void;
  end(): void;
}

/** Checks for updates periodically, downloads them, and installs them when the app quits or the user confirms. */
export function watchUpdates(updater: Updater | null, options: UpdateOptions): UpdateWatch {
  let state: UpdateState = { kind: updater === null ? 'off' : 'current' };
  if (updater === null) return { state: () => state, install() {}, end() {} };
  const setState = (next: UpdateState): void => {
    state = next;
    options.onChange(state);
  };
  updater.autoDownload = true;
  updater.autoInstallOnAppQuit = true;
  // An older version can have vulnerabilities that are fixed since.
  updater.allowDowngrade = false;
  // The parts of a web installer can be unsigned.
  updater.disableWebInstaller = true;
  if (options.url !== null) updater.setFeedURL({ provider: 'generic', url: options.url });
  updater.on('update-available', ({ version }) => setState({ kind: 'loading', version }));
  updater.on('update-not-available', () => setState({ kind: 'current' }));
  updater.on('update-downloaded', ({ version }) => setState({ kind: 'ready', version }));
  updater.on('error', (error) => {
    const reason = `Checking for updates failed (${error.message.split('\n', 1)[0]}).`;
    setState({ kind: 'failed', reason });
  });
  // Failures are reported by the error event, also while an update is downloaded.
  const check = (): void =>
    void updater
      .checkForUpdates()
      .then((found) => found?.downloadPromise)
      .catch(() => null);
  check();
  const timer = setInterval(check, options.everyMs);
  return { state: () => state, install: () => updater.quitAndInstall(), end: () => clearInterval(timer) };
}
