import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ElectronParts } from './electron-parts.ts';

/** At login, the system starts the app without a window. */
export const HIDDEN = '--hidden';

export interface LoginItem {
  isOn(): boolean;
  set(on: boolean): void;
}

export interface LoginItemOptions {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The configuration folder of desktop environments; default: `~/.config`. */
  readonly configHome: string | undefined;
  /** The program; for an AppImage its file, not the unpacked program. */
  readonly program: string;
}

/** Start at login, with Electron's own function or, on Linux, the freedesktop autostart folder. */
export function createLoginItem(app: ElectronParts['app'], options: LoginItemOptions): LoginItem {
  if (options.platform !== 'linux') {
    return {
      isOn: () => app.getLoginItemSettings({ args: [HIDDEN] }).openAtLogin,
      set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args: [HIDDEN] }),
    };
  }
  const folder = path.join(options.configHome || path.join(options.home, '.config'), 'autostart');
  const file = path.join(folder, 'content-security-agent.desktop');
  return {
    isOn: () => existsSync(file),
    set(on) {
      if (!on) return rmSync(file, { force: true });
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, desktopEntry(options.program));
    },
  };
}

/** Quoting as in the Desktop Entry Specification, "The Exec key". */
function desktopEntry(program: string): string {
  const quoted = `"${program
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Content Security Agent',
    `Exec=${quoted} ${HIDDEN}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}
