import { existsSync } from 'node:fs';
import path from 'node:path';
import * as electron from 'electron';
import updates from 'electron-updater';
import { readAppSettings } from './read-app-settings.ts';
import { runApp } from './run-app.ts';

const { app, dialog } = electron;

try {
  const settings = readAppSettings({
    env: process.env,
    platform: process.platform,
    // The built file is two folders deep.
    appDir: path.resolve(import.meta.dirname, '../..'),
    resourcesDir: process.resourcesPath,
  });
  // The packaging writes it if there is a feed.
  const hasFeed = app.isPackaged && existsSync(path.join(process.resourcesPath, 'app-update.yml'));
  // Not awaited, because Electron becomes ready only after this module has been evaluated.
  runApp(electron, {
    settings,
    args: process.argv.slice(app.isPackaged ? 1 : 2),
    program: process.env['APPIMAGE'] ?? process.execPath,
    updater: settings.updateUrl !== null || hasFeed ? updates.autoUpdater : null,
  }).catch(giveUp);
} catch (error) {
  giveUp(error as Error);
}

function giveUp({ message }: Error): void {
  dialog.showErrorBox('Content Security Agent', message);
  app.exit(1);
}
