import type * as Electron from 'electron';

/** What the app uses of Electron. Handed in, so that all of it but `main.ts` runs as plain Node too. */
export type ElectronParts = Pick<
  typeof Electron,
  'app' | 'BrowserWindow' | 'dialog' | 'ipcMain' | 'Menu' | 'Notification' | 'protocol' | 'session' | 'Tray'
>;
