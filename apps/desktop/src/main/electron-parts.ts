import type * as Electron from 'electron';

/** The parts of Electron that the app uses. Passed in, so that everything but `main.ts` also runs in plain Node. */
export type ElectronParts = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'Notification'
  | 'powerMonitor'
  | 'protocol'
  | 'session'
  | 'Tray'
>;
