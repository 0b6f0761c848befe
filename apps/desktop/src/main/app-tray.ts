import path from 'node:path';
import type { Tray } from 'electron';
import type { ProtectionView } from '../bridge/protection-view.ts';
import type { ElectronParts } from './electron-parts.ts';
import { type TrayFacts, trayMenu } from './tray-menu.ts';

export interface AppTrayOptions {
  readonly iconDir: string;
  readonly platform: NodeJS.Platform;
  readonly onPage: (page: string) => void;
  readonly onQuit: () => void;
}

export interface AppTray {
  show(view: ProtectionView, facts: TrayFacts): void;
}

/** The tray icon. Its shape shows the state; its tooltip and the first menu line state it in words. */
export function createAppTray(
  { Menu, Tray: NewTray }: Pick<ElectronParts, 'Menu' | 'Tray'>,
  options: AppTrayOptions,
): AppTray {
  let tray: Tray | null = null;
  let shown = '';
  return {
    show(view, facts) {
      // Rebuilding the menu would close it.
      const next = JSON.stringify([view, facts]);
      if (next === shown) return;
      shown = next;
      const icon = trayIcon(options, view);
      if (tray === null) {
        tray = new NewTray(icon);
        tray.on('click', () => options.onPage('#/'));
      } else tray.setImage(icon);
      tray.setToolTip(`Content Security Agent: ${view.title}`);
      tray.setContextMenu(
        Menu.buildFromTemplate(
          trayMenu(view, facts).map((entry) => {
            if (entry.kind === 'line') return { type: 'separator' as const };
            if (entry.kind === 'text') return { label: entry.label, enabled: false };
            if (entry.kind === 'quit') return { label: entry.label, click: options.onQuit };
            return { label: entry.label, click: () => options.onPage(entry.page) };
          }),
        ),
      );
    },
  };
}

/** macOS draws "Template" images in the color of its menu bar; high-resolution screens use the `@2x` files. */
function trayIcon({ iconDir, platform }: AppTrayOptions, { kind }: ProtectionView): string {
  return path.join(iconDir, platform === 'darwin' ? `${kind}Template.png` : `${kind}.png`);
}
