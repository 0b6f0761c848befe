/**
 * The parts of Electron that the app uses, for computers without its binary: windows are pages of a real Chromium, the
 * window's scheme is served over loopback by the app's own handler, preload runs as built. Tray, notifications and
 * dialogs are recorded, and the test can click on them.
 */
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import type { ElectronParts } from '../../../apps/desktop/src/main/electron-parts.ts';

interface MenuItem {
  readonly label?: string;
  readonly click?: () => void;
}
export interface ShownNotice {
  readonly title: string;
  readonly body: string;
  readonly actions: readonly { readonly text: string }[];
  click(): void;
  act(index: number): void;
}

export interface StandInElectron {
  readonly parts: ElectronParts;
  readonly app: EventEmitter;
  readonly notices: ShownNotice[];
  readonly tray: { image: string; toolTip: string; menu: readonly MenuItem[] };
  readonly opened: string[];
  readonly loginItems: unknown[];
  /** Texts that an error box showed. */
  readonly errors: string[];
  /**
   * Reports that the entry module has been evaluated, including its top-level awaits. As in Electron, the app becomes
   * ready only after that (electron/electron#40719): code that awaits `whenReady` before waits forever.
   */
  entryEvaluated(): void;
  /** macOS: the system started the app at login. */
  wasOpenedAtLogin: boolean;
  /** Emits that the computer is shut down, or the user logs out. */
  readonly powerMonitor: EventEmitter;
  /** The result of the next "save as" dialog; null: it is cancelled. */
  saveTo: string | null;
  /** Returns the page of the open window. Waits for it. */
  page(): Promise<Page>;
  /** Resolves once the app has quit. */
  readonly quit: Promise<void>;
  invoke(url: string, call: unknown, params?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

type Answer = (event: unknown, ...args: unknown[]) => unknown;

/** If `context` is null, windows are only counted. */
export async function standInElectron(context: BrowserContext | null): Promise<StandInElectron> {
  const app = new EventEmitter();
  const notices: ShownNotice[] = [];
  const tray: StandInElectron['tray'] = { image: '', toolTip: '', menu: [] };
  const opened: string[] = [];
  const loginItems: unknown[] = [];
  const errors: string[] = [];
  const powerMonitor = new EventEmitter();
  const stand = { wasOpenedAtLogin: false };
  const quit = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  const requireReady = (what: string): void => {
    if (!isReady) throw new Error(`${what} cannot be used before the app is ready.`);
  };
  let saveTo: string | null = null;
  let answer: Answer = () => null;
  let serve: (request: { url: string }) => Response = () => new Response(null, { status: 404 });
  let page = Promise.withResolvers<Page>();

  const server: Server = createServer(async (request, response) => {
    // Browsers request it, Electron does not.
    if (request.url === '/favicon.ico') return response.writeHead(204).end();
    const file = serve({ url: `csg-window://app${request.url}` });
    response.writeHead(file.status, Object.fromEntries(file.headers));
    response.end(Buffer.from(await file.arrayBuffer()));
  });
  if (context !== null) await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo | null)?.port}`;

  class BrowserWindow extends EventEmitter {
    readonly options: { width: number; height: number; webPreferences: { preload: string } };
    own: Promise<Page> | null = null;
    readonly webContents = {
      send: (channel: string, payload: unknown): void => {
        this.own
          ?.then((own) => own.evaluate(`receive(${JSON.stringify(channel)}, ${JSON.stringify(payload)})`))
          .catch((error: Error) => {
            // As in Electron: a message to a window that was closed meanwhile is dropped.
            if (!error.message.includes('has been closed')) throw error;
          });
      },
    };
    constructor(options: BrowserWindow['options']) {
      requireReady('BrowserWindow');
      super();
      this.options = options;
    }
    async loadURL(url: string): Promise<void> {
      opened.push(url);
      if (context === null) return;
      this.own = (async () => {
        const { width, height } = this.options;
        const made = await context.newPage();
        await made.setViewportSize({ width, height });
        await made.exposeFunction('invoke', (_channel: string, ...args: unknown[]) =>
          answer({ senderFrame: { url } }, ...args),
        );
        await made.addInitScript({ content: preloadScript(this.options.webPreferences.preload) });
        await made.goto(url.replace('csg-window://app', origin));
        return made;
      })();
      page.resolve(await this.own);
      (await this.own).once('close', () => {
        page = Promise.withResolvers();
        this.emit('closed');
      });
      this.emit('ready-to-show');
    }
    show(): void {}
    focus(): void {}
    restore(): void {}
    isMinimized = (): boolean => false;
  }

  class Notification extends EventEmitter {
    static isSupported = (): boolean => true;
    readonly options: { title: string; body: string; actions: { text: string }[] };
    constructor(options: Notification['options']) {
      super();
      this.options = options;
    }
    show(): void {
      notices.push({
        ...this.options,
        click: () => this.emit('click'),
        act: (actionIndex) => this.emit('action', { actionIndex }),
      });
    }
  }

  class Tray extends EventEmitter {
    constructor(image: string) {
      requireReady('Tray');
      super();
      tray.image = image;
    }
    setImage(image: string): void {
      tray.image = image;
    }
    setToolTip(text: string): void {
      tray.toolTip = text;
    }
    setContextMenu(menu: readonly MenuItem[]): void {
      tray.menu = menu;
    }
  }

  Object.assign(app, {
    requestSingleInstanceLock: () => true,
    isPackaged: false,
    enableSandbox() {
      if (isReady) throw new Error('The sandbox is enabled before the app is ready, or not at all.');
    },
    setAppUserModelId() {},
    setAsDefaultProtocolClient: () => true,
    whenReady: () => ready.promise,
    exit: () => quit.resolve(),
    getPath: () => '/',
    getLoginItemSettings: () => ({
      openAtLogin: loginItems.length > 0,
      wasOpenedAtLogin: stand.wasOpenedAtLogin,
    }),
    setLoginItemSettings: (item: unknown) => void loginItems.push(item),
    quit() {
      let isPrevented = false;
      const preventDefault = (): void => {
        isPrevented = true;
      };
      app.emit('before-quit', { preventDefault });
      if (!isPrevented) quit.resolve();
    },
  });
  const parts = {
    app,
    BrowserWindow,
    Notification,
    Tray,
    Menu: { buildFromTemplate: (items: readonly MenuItem[]) => items },
    dialog: {
      showSaveDialog: async () => ({ canceled: saveTo === null, filePath: saveTo ?? '' }),
      showErrorBox: (_title: string, content: string) => void errors.push(content),
    },
    ipcMain: {
      handle(_channel: string, handler: Answer): void {
        answer = handler;
      },
    },
    powerMonitor,
    protocol: {
      registerSchemesAsPrivileged() {
        if (isReady) throw new Error('Schemes are registered before the app is ready, or not at all.');
      },
      handle(_scheme: string, handler: typeof serve): void {
        serve = handler;
      },
    },
    session: {
      defaultSession: {
        setPermissionRequestHandler() {},
        setPermissionCheckHandler() {},
        webRequest: { onBeforeRequest() {} },
      },
    },
  };
  return {
    parts: parts as unknown as ElectronParts,
    app,
    notices,
    tray,
    opened,
    loginItems,
    errors,
    powerMonitor,
    get wasOpenedAtLogin() {
      return stand.wasOpenedAtLogin;
    },
    set wasOpenedAtLogin(was) {
      stand.wasOpenedAtLogin = was;
    },
    entryEvaluated() {
      isReady = true;
      ready.resolve();
    },
    get saveTo() {
      return saveTo;
    },
    set saveTo(file) {
      saveTo = file;
    },
    page: () => page.promise,
    quit: quit.promise,
    invoke: async (url, call, params = null) => await answer({ senderFrame: { url } }, call, params),
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Wraps the built preload, with the two parts of Electron that it uses. */
function preloadScript(file: string): string {
  return `(() => {
    const listeners = new Map();
    window.receive = (channel, payload) => { for (const listener of listeners.get(channel) ?? []) listener({}, payload); };
    const electron = {
      contextBridge: { exposeInMainWorld: (name, value) => { window[name] = value; } },
      ipcRenderer: {
        invoke: (channel, ...args) => window.invoke(channel, ...args),
        on: (channel, listener) => listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
        off: (channel, listener) => listeners.set(channel, (listeners.get(channel) ?? []).filter((one) => one !== listener)),
      },
    };
    ((require) => { ${readFileSync(file, 'utf8')} })(() => electron);
  })();`;
}
