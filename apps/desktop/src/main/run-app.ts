import path from 'node:path';
import { viewProtection } from '../bridge/protection-view.ts';
import type { WindowState } from '../bridge/window-bridge.ts';
import { createRunCommand } from '../trust/run-command.ts';
import { createAgentCommands } from './agent-commands.ts';
import { type AgentLink, type LinkPauses, openAgentLink } from './agent-link.ts';
import { createAppTray } from './app-tray.ts';
import { createAppWindow } from './app-window.ts';
import { createDecisionNotices } from './decision-notices.ts';
import type { ElectronParts } from './electron-parts.ts';
import { findLink, pageOfLink } from './enroll-link.ts';
import { isOwnPage, lockDown, lockDownEarly } from './lock-down.ts';
import { createLoginItem, HIDDEN } from './login-item.ts';
import { enrollManaged, findManagedFile, managedFileProblem } from './managed-file.ts';
import type { AppSettings } from './read-app-settings.ts';
import { requestNotice } from './request-notice.ts';
import { createNotifier } from './show-notice.ts';
import { createStateNotices } from './state-notices.ts';
import { trustCertificate } from './trust-certificate.ts';
import { type Updater, watchUpdates } from './watch-updates.ts';
import { createWindowCalls } from './window-calls.ts';

export interface AppOptions {
  readonly settings: AppSettings;
  /** Command line arguments without the program. */
  readonly args: readonly string[];
  /** The program that the system starts at login. */
  readonly program: string;
  /** Null if this build is never updated. */
  readonly updater: Updater | null;
  readonly pauses?: LinkPauses;
}

/** From build/electron-builder.yml; Windows shows notifications under it. */
const APP_ID = 'dev.csg.content-security-agent';
/** Longer than a restart of the agent takes. */
const GONE_MS = 15_000;
const MANAGED_PAUSE_MS = 60_000;
const UPDATES_EVERY_MS = 6 * 60 * 60 * 1000;

/** Runs the app. The entry module must not await it, because Electron waits for that module. Resolves once the app is up, or to null if another instance is running, which then shows its window. */
export async function runApp(electron: ElectronParts, options: AppOptions): Promise<AgentLink | null> {
  const { app, dialog, ipcMain } = electron;
  const { settings } = options;
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return null;
  }
  lockDownEarly(electron);
  // Only for installed builds, because the system keeps the path.
  if (app.isPackaged) app.setAsDefaultProtocolClient('csg');
  if (settings.agent.platform === 'win32') app.setAppUserModelId(APP_ID);
  const window = createAppWindow(electron, {
    preloadPath: settings.preloadPath,
    icon: path.join(settings.iconDir, 'app.png'),
  });
  let wasLinked = false;
  // macOS passes no arguments to a login item.
  let wasOpenedAtLogin = settings.agent.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
  const openFor = (args: readonly string[]): void => {
    const link = findLink(args);
    if (link !== null) window.show(pageOfLink(link));
    else if (!args.includes(HIDDEN) && !wasOpenedAtLogin) window.show('#/');
  };
  app.on('second-instance', (_event, args) => {
    wasOpenedAtLogin = false;
    openFor(args.slice(1));
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    wasLinked = true;
    void app.whenReady().then(() => openFor([link]));
  });
  app.on('activate', () => window.show('#/'));
  // Without a listener, Electron would quit when the window is closed.
  app.on('window-all-closed', () => {});
  await app.whenReady();
  lockDown(electron, settings.windowDir);

  const loginItem = createLoginItem(app, {
    platform: settings.agent.platform,
    home: settings.agent.home,
    configHome: settings.agentEnv['XDG_CONFIG_HOME'],
    program: options.program,
  });
  const tray = createAppTray(electron, {
    iconDir: settings.iconDir,
    platform: settings.agent.platform,
    onPage: (page) => window.show(page),
    onQuit: () => app.quit(),
  });
  const notify = createNotifier(electron, (page) => window.show(page));
  const noticeOf = createDecisionNotices(() => performance.now());
  const stateNotices = createStateNotices(GONE_MS, notify);
  const updates = watchUpdates(options.updater, {
    url: settings.updateUrl,
    everyMs: UPDATES_EVERY_MS,
    onChange: () => changed(),
  });
  const link = openAgentLink(
    settings,
    (frame) => {
      if (!('event' in frame)) return;
      if (frame.event === 'status') changed();
      if (frame.event === 'decision') {
        window.send({ kind: 'decision', decision: frame.decision });
        notify(noticeOf(frame.decision));
      }
      if (frame.event === 'request-decided') {
        window.send({ kind: 'request-decided' });
        notify(requestNotice(frame.request));
      }
    },
    options.pauses,
  );
  const state = (): WindowState => ({
    status: link.status(),
    view: viewProtection(link.status()),
    update: updates.state(),
    opensAtLogin: loginItem.isOn(),
  });
  const changed = (): void => {
    const now = state();
    tray.show(now.view, { isEnrolled: now.status.enrolled, endsAgent: link.isOwnAgent() });
    window.send({ kind: 'state', state: now });
    stateNotices.update(now.view, now.status.enrolled);
  };
  const commands = createAgentCommands(settings);
  const handleCall = createWindowCalls({
    link,
    commands,
    state,
    chooseFile: async (name) => {
      const chosen = await dialog.showSaveDialog({ defaultPath: path.join(app.getPath('documents'), name) });
      return chosen.canceled ? null : chosen.filePath;
    },
    trustCertificate: () => trustCertificate(commands, settings),
    setOpenAtLogin: (on) => {
      loginItem.set(on);
      changed();
    },
    installUpdate: () => updates.install(),
  });
  ipcMain.handle('csg:invoke', (event, call: unknown, params: unknown) =>
    isOwnPage(event.senderFrame?.url)
      ? handleCall(call, params)
      : { ok: false, message: 'Calls from this page are not allowed.' },
  );
  const ending = new AbortController();
  let isEnded = false;
  // A quit that is prevented would cancel the log-out or shutdown; the watchdog restores the settings.
  electron.powerMonitor.on('shutdown', () => {
    isEnded = true;
  });
  app.on('before-quit', (event) => {
    if (isEnded) return;
    // The computer's settings have to be restored first.
    event.preventDefault();
    updates.end();
    stateNotices.end();
    ending.abort();
    void link.end().finally(() => {
      isEnded = true;
      app.quit();
    });
  });
  changed();
  const run = createRunCommand(settings.agentEnv);
  const managed = findManagedFile(settings.agent.platform, settings.agentEnv);
  if (managed !== null && !link.status().enrolled) {
    void enrollManaged({
      async tryNow() {
        const problem = await managedFileProblem(managed, settings.agent.platform, run);
        if (problem !== null) {
          notify({ title: 'Not enrolled', body: problem, page: '#/', actions: [] });
          return true;
        }
        const done = await commands.run('enroll', '--managed', managed.path).catch(() => null);
        if (done?.code !== 0) return link.status().enrolled;
        loginItem.set(true);
        link.retryNow();
        return true;
      },
      firstPauseMs: MANAGED_PAUSE_MS,
      longestPauseMs: 60 * MANAGED_PAUSE_MS,
      signal: ending.signal,
    });
  }
  // A link that started the app has opened its page already.
  if (!wasLinked) openFor(options.args);
  return link;
}
