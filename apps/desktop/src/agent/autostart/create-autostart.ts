import { existsSync } from 'node:fs';
import type { Autostart, AutostartOptions } from './autostart.ts';
import { createLaunchdAutostart } from './launchd-autostart.ts';
import { createSystemdAutostart } from './systemd-autostart.ts';
import { createWindowsAutostart } from './windows-autostart.ts';

/** Returns a sentence for the user if this system has no autostart. */
export function createAutostart(options: AutostartOptions): Autostart | string {
  if (options.platform === 'darwin') return createLaunchdAutostart(options);
  if (options.platform === 'win32') {
    return options.systemUser === null
      ? createWindowsAutostart(options)
      : 'On Windows, the agent starts when its user signs in. Omit --system.';
  }
  return existsSync('/run/systemd/system')
    ? createSystemdAutostart(options)
    : 'This system does not use systemd. Configure its service manager to start "agent run".';
}

/** Returns every autostart that may have been installed, for removal. */
export function autostartsOf(options: Omit<AutostartOptions, 'systemUser'>): readonly Autostart[] {
  const all = [null, 'root'].map((systemUser) => createAutostart({ ...options, systemUser }));
  return all.filter((autostart) => typeof autostart !== 'string');
}
