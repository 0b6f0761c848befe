import path from 'node:path';
import type { ControlFrame } from '../agent/control/control-messages.ts';
import { viewProtection } from '../bridge/protection-view.ts';
import type { WindowState } from '../bridge/window-bridge.ts';
import { createAgentCommands } from './agent-commands.ts';
import { type AgentLink, type LinkPauses, openAgentLink } from './agent-link.ts';
import { createAppTray } from './app-tray.ts';
import { type AppWindow, createAppWindow } from './app-window.ts';
import { createDecisionNotices } from './decision-notices.ts';
import type { ElectronParts } from './electron-parts.ts';
import { enrollByFile } from './enroll-by-file.ts';
import { findLink, pageOfLink } from './enroll-link.ts';
import { isOwnPage, lockDown, lockDownEarly } from './lock-down.ts';
import { createLoginItem, HIDDEN } from './login-item.ts';
import type { AppSettings } from './read-app-settings.ts';
import { requestNotice } from './request-notice.ts';
import { createNotifier } from './show-notice.ts';
import { createStateNotices } from './state-notices.ts';
import { trustCertificate } from './trust-certificate.ts';
import { type Updater, watchUpdates } from './watch-updates.ts';
import { createWindowCalls, type WindowCallDeps } from './window-calls.ts';

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
const UPDATES_EVERY_MS = 6 * 60 * 60 * 1000;

/** Runs the app. The entry module must not await it, because Electron waits for that module. Resolves once the app is up, or to null if another instance is running, which then shows its window. */
export async function runApp(electron: ElectronParts, options: AppOptions): Promise<AgentLink | null> {
  const { app } = electron;
  const { settings } = options;
  if (!prepare(electron, settings.agent.platform)) return null;
  const window = createAppWindow(electron, {
    preloadPath: settings.preloadPath,
    icon: path.join(settings.iconDir, 'app.png'),
  });
  const opening = openPages(app, window, settings.agent.platform);
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
      if ('event' in frame && frame.event === 'status') changed();
      else showFrame(window, notify, noticeOf, frame);
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
  answerWindow(electron, {
    link,
    commands,
    state,
    chooseFile: (name) => chooseFile(electron, name),
    trustCertificate: () => trustCertificate(commands, settings),
    setOpenAtLogin: (on) => {
      loginItem.set(on);
      changed();
    },
    installUpdate: () => updates.install(),
  });
  const ending = new AbortController();
  endInOrder(electron, link, () => {
    updates.end();
    stateNotices.end();
    ending.abort();
  });
  changed();
  enrollByFile({ settings, link, commands, notify, loginItem, signal: ending.signal });
  opening.begin(options.args);
  return link;
}

/** Before Electron is ready. False if another instance is running, which then shows its window. */
function prepare(electron: ElectronParts, platform: string): boolean {
  const { app } = electron;
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return false;
  }
  lockDownEarly(electron);
  // Only for installed builds, because the system keeps the path.
  if (app.isPackaged) app.setAsDefaultProtocolClient('csg');
  if (platform === 'win32') app.setAppUserModelId(APP_ID);
  return true;
}

/** Shows what the agent decided, or what was decided about a request. */
function showFrame(
  window: AppWindow,
  notify: ReturnType<typeof createNotifier>,
  noticeOf: ReturnType<typeof createDecisionNotices>,
  frame: ControlFrame,
): void {
  if (!('event' in frame)) return;
  if (frame.event === 'decision') {
    window.send({ kind: 'decision', decision: frame.decision });
    notify(noticeOf(frame.decision));
  }
  if (frame.event === 'request-decided') {
    window.send({ kind: 'request-decided' });
    notify(requestNotice(frame.request));
  }
}

async function chooseFile({ app, dialog }: ElectronParts, name: string): Promise<string | null> {
  const chosen = await dialog.showSaveDialog({ defaultPath: path.join(app.getPath('documents'), name) });
  return chosen.canceled ? null : chosen.filePath;
}

/** Calls of the app's own page alone. */
function answerWindow({ ipcMain }: ElectronParts, deps: WindowCallDeps): void {
  const handleCall = createWindowCalls(deps);
  ipcMain.handle('csg:invoke', (event, call: unknown, params: unknown) =>
    isOwnPage(event.senderFrame?.url)
      ? handleCall(call, params)
      : { ok: false, message: 'Calls from this page are not allowed.' },
  );
}

/** Opens the page that a link, another start or the person asks for. */
function openPages(app: ElectronParts['app'], window: AppWindow, platform: string) {
  let wasLinked = false;
  // macOS passes no arguments to a login item.
  let wasOpenedAtLogin = platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
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
  return {
    /** A link that started the app has opened its page already. */
    begin: (args: readonly string[]): void => {
      if (!wasLinked) openFor(args);
    },
  };
}

/** The computer's settings have to be restored before the app quits. */
function endInOrder({ app, powerMonitor }: ElectronParts, link: AgentLink, onEnding: () => void): void {
  let isEnded = false;
  // A quit that is prevented would cancel the log-out or shutdown; the watchdog restores the settings.
  powerMonitor.on('shutdown', () => {
    isEnded = true;
  });
  app.on('before-quit', (event) => {
    if (isEnded) return;
    event.preventDefault();
    onEnding();
    void link.end().finally(() => {
      isEnded = true;
      app.quit();
    });
  });
}
