import type { BrowserWindow } from 'electron';
import type { BridgeEvent } from '../bridge/window-bridge.ts';
import type { ElectronParts } from './electron-parts.ts';

/** The window's own scheme, which serves only the app's files. */
export const WINDOW_SCHEME = 'csg-window';
export const WINDOW_ORIGIN = `${WINDOW_SCHEME}://app`;
export const WINDOW_SIZE = { width: 900, height: 660 } as const;

export interface AppWindow {
  /** Opens the window or brings it to the front, at this page (`#/…`). */
  show(page: string): void;
  send(event: BridgeEvent): void;
}

/** The only window; closing it does not quit the app. */
export function createAppWindow(
  { BrowserWindow }: Pick<ElectronParts, 'BrowserWindow'>,
  options: { readonly preloadPath: string; readonly icon: string },
): AppWindow {
  let open: BrowserWindow | null = null;

  function create(page: string): BrowserWindow {
    const window = new BrowserWindow({
      ...WINDOW_SIZE,
      minWidth: 380,
      minHeight: 480,
      show: false,
      title: 'Content Security Agent',
      icon: options.icon,
      autoHideMenuBar: true,
      webPreferences: {
        preload: options.preloadPath,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        spellcheck: false,
      },
    });
    window.once('ready-to-show', () => window.show());
    window.once('closed', () => {
      open = null;
    });
    void window.loadURL(`${WINDOW_ORIGIN}/${page}`);
    return window;
  }

  return {
    show(page) {
      if (open === null) {
        open = create(page);
        return;
      }
      open.webContents.send('csg:event', { kind: 'go', to: page } satisfies BridgeEvent);
      if (open.isMinimized()) open.restore();
      open.show();
      open.focus();
    },
    send: (event) => open?.webContents.send('csg:event', event),
  };
}
