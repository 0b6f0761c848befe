/** What electron-updater itself does with tampered feeds, used by `watchUpdates` as the app uses it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { createServer, request as httpsRequest, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { AppImageUpdater } from 'electron-updater';
import type { UpdateState } from '../../../apps/desktop/src/bridge/window-bridge.ts';
import { type Updater, watchUpdates } from '../../../apps/desktop/src/main/watch-updates.ts';
import { type Authority, newAuthority } from '../../support/desktop/certificates.ts';
import { until } from '../../support/until.ts';

const OWN_VERSION = '2.0.0';
const PROGRAM = Buffer.from('the program of version 2.1.0');

let updates: typeof import('electron-updater');
let electrons: typeof import('electron-updater/out/electronHttpExecutor.js');
let authority: Authority;
let server: Server;
let folder: string;
/** Path -> its contents in the feed. */
const feed = new Map<string, string | Buffer>();

before(async () => {
  // Electron's package looks for its program when it is loaded; nothing here starts it.
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = '/nonexistent';
  updates = (await import('electron-updater')).default;
  electrons = await import('electron-updater/out/electronHttpExecutor.js');
  folder = mkdtempSync(path.join(tmpdir(), 'csg-feed-'));
  process.env['APPIMAGE'] = path.join(folder, 'installed.AppImage');
  writeFileSync(process.env['APPIMAGE'], 'the program of version 2.0.0');
  authority = await newAuthority(['localhost']);
  const leaf = await authority.issuer.leafFor('localhost', Date.now());
  server = createServer({ cert: leaf.chain, key: leaf.key }, (request, response) => {
    const found = feed.get((request.url ?? '').split('?', 1)[0] ?? '');
    response.writeHead(found === undefined ? 404 : 200).end(found);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => {
  delete process.env['APPIMAGE'];
  delete process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  server.close().closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => feed.clear());

interface Release {
  readonly version: string;
  readonly file?: string;
  /** The checksum of the program, unless the test overrides it. */
  readonly sha512?: string | null;
}

function publish({ version, file = 'agent.AppImage', sha512 }: Release): void {
  const hash = sha512 === undefined ? createHash('sha512').update(PROGRAM).digest('base64') : sha512;
  const sum = hash === null ? '' : `    sha512: ${hash}\n`;
  feed.set(
    '/latest-linux.yml',
    `version: ${version}\nfiles:\n  - url: ${file}\n${sum}    size: ${PROGRAM.length}\npath: ${file}\n${sum.trimStart()}releaseDate: '2026-01-01T00:00:00.000Z'\n`,
  );
}

/** The final state of the app's watch of this feed, and the files it kept. */
async function look(
  ca = authority.root.pem,
): Promise<{ state: UpdateState; kept(): Promise<readonly string[]> }> {
  const home = mkdtempSync(path.join(folder, 'app-'));
  const updater: AppImageUpdater = new updates.AppImageUpdater(null, {
    version: OWN_VERSION,
    name: 'agent',
    isPackaged: true,
    appUpdateConfigPath: path.join(home, 'app-update.yml'),
    userDataPath: home,
    baseCachePath: home,
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  });
  writeFileSync(path.join(home, 'app-update.yml'), 'updaterCacheDirName: agent-updates\n');
  updater.logger = null;
  const executor = new electrons.ElectronHttpExecutor();
  // Requests by Node instead of Electron's own network; everything else is the package's.
  const asks = (options: RequestOptions, answered: (response: IncomingMessage) => void) =>
    httpsRequest({ ...options, ca, agent: false }, answered);
  Object.assign(updater, { httpExecutor: Object.assign(executor, { createRequest: asks }) });
  updater.disableDifferentialDownload = true;
  const ended = Promise.withResolvers<UpdateState>();
  const watch = watchUpdates(updater as unknown as Updater, {
    url: `https://localhost:${(server.address() as AddressInfo).port}/`,
    everyMs: 3_600_000,
    onChange: (state) => {
      if (state.kind !== 'loading') ended.resolve(state);
    },
  });
  const state = await ended.promise;
  watch.end();
  const kept = async (): Promise<readonly string[]> =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.AppImage'))
      .map((entry) => path.join(entry.parentPath, entry.name));
  return { state, kept };
}

test('a newer version with the published checksum is downloaded', async () => {
  publish({ version: '2.1.0' });
  feed.set('/agent.AppImage', PROGRAM);
  const { state, kept } = await look();
  assert.deepEqual(state, { kind: 'ready', version: '2.1.0' });
  assert.deepEqual(
    (await kept()).map((file) => readFileSync(file)),
    [PROGRAM],
  );
});

test('an older or the same version is not an update', async () => {
  feed.set('/agent.AppImage', PROGRAM);
  for (const version of ['1.9.9', '2.0.0', '2.0.0-beta.9']) {
    publish({ version });
    const { state, kept } = await look();
    assert.deepEqual([state, await kept()], [{ kind: 'current' }, []], version);
  }
});

const TAMPERED: readonly (readonly [string, () => void])[] = [
  ['a modified program', () => feed.set('/agent.AppImage', Buffer.from(PROGRAM).fill('x', 0, 3))],
  ['a truncated program', () => feed.set('/agent.AppImage', PROGRAM.subarray(0, 9))],
  ['a program with appended bytes', () => feed.set('/agent.AppImage', Buffer.concat([PROGRAM, PROGRAM]))],
  ['no checksum', () => publish({ version: '2.1.0', sha512: null })],
  ['a checksum of something else', () => publish({ version: '2.1.0', sha512: 'AAAA' })],
  ['an invalid version', () => publish({ version: 'newest' })],
  ['a missing program', () => publish({ version: '2.1.0', file: 'gone.AppImage' })],
  ['an invalid feed', () => feed.set('/latest-linux.yml', '<html>Log in</html>')],
  ['an empty feed', () => feed.set('/latest-linux.yml', '')],
];

for (const [name, tamper] of TAMPERED) {
  test(`${name}: nothing is kept, and the failure is reported`, async () => {
    publish({ version: '2.1.0' });
    feed.set('/agent.AppImage', PROGRAM);
    tamper();
    const { state, kept } = await look();
    assert.equal(state.kind, 'failed', JSON.stringify(state));
    // The package reports its failure before it has removed the download.
    await until(kept, (files) => files.length === 0);
  });
}

test('a file name with parent folders stays in the update folder', async () => {
  publish({ version: '2.1.0', file: '../../../climbed.AppImage' });
  feed.set('/climbed.AppImage', PROGRAM);
  const { kept } = await look();
  const files = await kept();
  assert.ok(
    files.every((file) => file.includes(`${path.sep}agent-updates${path.sep}`)),
    files.join(),
  );
  assert.ok(!existsSync(path.join(folder, 'climbed.AppImage')));
});

test('a feed with an untrusted certificate is not used', async () => {
  publish({ version: '2.1.0' });
  feed.set('/agent.AppImage', PROGRAM);
  const { state, kept } = await look((await newAuthority(['localhost'])).root.pem);
  assert.equal(state.kind, 'failed');
  assert.deepEqual(await kept(), []);
});
