import { WINDOW_ORIGIN, WINDOW_SCHEME } from './app-window.ts';
import type { ElectronParts } from './electron-parts.ts';
import { readWindowFile } from './window-files.ts';

/** Settings that are only possible before Electron is ready. */
export function lockDownEarly({ app, protocol }: Pick<ElectronParts, 'app' | 'protocol'>): void {
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([
    { scheme: WINDOW_SCHEME, privileges: { standard: true, secure: true } },
  ]);
}

/** Restricts pages to our own files, without navigation, new windows or permissions. */
export function lockDown(
  { app, protocol, session }: Pick<ElectronParts, 'app' | 'protocol' | 'session'>,
  windowDir: string,
): void {
  protocol.handle(WINDOW_SCHEME, ({ url }) => {
    const file = readWindowFile(windowDir, new URL(url).pathname);
    return new Response(new Uint8Array(Buffer.from(file.body)), {
      status: file.status,
      headers: { ...file.headers },
    });
  });
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
  session.defaultSession.webRequest.onBeforeRequest(({ url }, callback) => {
    callback({ cancel: !url.startsWith(`${WINDOW_ORIGIN}/`) && !url.startsWith('devtools:') });
  });
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** Only the window's own page can use the bridge. */
export function isOwnPage(url: string | undefined): boolean {
  return url?.startsWith(`${WINDOW_ORIGIN}/`) === true;
}
