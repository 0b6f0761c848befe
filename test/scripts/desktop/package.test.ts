/** The packages as the real electron-builder makes them; only Electron's own binary is a stand-in. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { CONFIG_FILE, PROJECT_DIR } from '../../../scripts/desktop/package.ts';
import { BUILD_DIR, ensurePackagingTools } from '../../../scripts/desktop/packaging-tools.ts';
import { isWhole } from '../../support/part.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../../scripts/package.ts');
const skip = toolsFault();
const require = createRequire(path.join(BUILD_DIR, 'package.json'));

function toolsFault(): string | false {
  try {
    ensurePackagingTools();
    return false;
  } catch (error) {
    return (error as Error).message;
  }
}

type Config = Readonly<Record<string, unknown>>;
interface ConfigModule {
  getConfig(projectDir: string, file: string, options: null): Promise<Config>;
  validateConfiguration(config: Config, log: object): Promise<void>;
}

test('electron-builder’s own validator accepts the configuration, and rejects a wrong name', {
  skip,
}, async () => {
  const { getConfig, validateConfiguration } =
    require('app-builder-lib/out/util/config/config') as ConfigModule;
  const { DebugLogger } = require('builder-util') as { DebugLogger: new (isEnabled: boolean) => object };
  const config = await getConfig(PROJECT_DIR, CONFIG_FILE, null);
  await validateConfiguration(config, new DebugLogger(false));
  await assert.rejects(
    validateConfiguration({ ...config, protcols: [] }, new DebugLogger(false)),
    /protcols/,
  );
  const { version } = JSON.parse(readFileSync(require.resolve('electron/package.json'), 'utf8'));
  assert.equal(config['electronVersion'], version, 'the installed Electron is the packaged one');
  const text = JSON.stringify(config);
  for (const target of ['nsis', 'dmg', 'AppImage', 'deb']) assert.match(text, new RegExp(`"${target}"`));
  // Made on request only; the validator knows their names and settings too.
  for (const target of ['msi', 'pkg', 'rpm']) assert.ok(config[target], target);
  await assert.rejects(
    validateConfiguration({ ...config, rpm: { dependz: [] } }, new DebugLogger(false)),
    /configuration\.rpm/,
  );
});

test('every named file exists', { skip }, () => {
  const text = readFileSync(CONFIG_FILE, 'utf8');
  const named = [...text.matchAll(/(?:icons|mac|windows|linux)\/[\w.-]+\.\w+|nothing-to-gather\.mjs/g)];
  assert.ok(named.length >= 5, 'it names some');
  for (const [file] of named) assert.ok(existsSync(path.join(BUILD_DIR, file)), file);
  const script = spawnSync('/bin/sh', ['-n', path.join(BUILD_DIR, 'linux/before-remove.sh')], {
    encoding: 'utf8',
  });
  assert.equal(script.status, 0, script.stderr);
});

after(() => {
  for (const dir of [TESTED, ...made]) rmSync(dir, { recursive: true, force: true });
});
const TESTED = path.join(PROJECT_DIR, 'dist/tested');
const made: string[] = [];

/** A folder that is removed after the tests. */
function folder(name: string): string {
  const dir = mkdtempSync(path.join(tmpdir(), name));
  made.push(dir);
  return dir;
}

// What it packs: build-app.test.ts, and desktop-app-trust.test.ts, which runs the built agent.
if (isWhole)
  test('a package contains the app, and next to it an agent that runs on its own', { skip }, () => {
    const electron = standInElectronDist();
    const args = [
      SCRIPT,
      `--${PLATFORM}`,
      'dir',
      `-c.electronDist=${electron}`,
      '-c.directories.output=dist/tested',
    ];
    const env = { ...process.env, CSG_PACKAGE_FEED: 'https://updates.example.com/agent/' };
    const packaged = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    assert.equal(packaged.status, 0, packaged.stdout + packaged.stderr);
    const unpacked = path.join(TESTED, `${PLATFORM}-unpacked`);
    const resources = path.join(unpacked, 'resources');
    const { listPackage } = require('@electron/asar') as {
      listPackage(file: string, options: object): string[];
    };
    const files = listPackage(path.join(resources, 'app.asar'), {});
    for (const file of [
      '/package.json',
      '/src/main/main.js',
      '/preload.cjs',
      '/window/index.html',
      '/icons/app.png',
    ])
      assert.ok(files.includes(file), file);
    assert.ok(!files.some((file) => file.includes('node_modules')), 'everything is bundled');
    assert.match(
      readFileSync(path.join(resources, 'app-update.yml'), 'utf8'),
      /https:\/\/updates\.example\.com\/agent\//,
    );
    const state = folder('csg-package-');
    const agent = spawnSync(
      path.join(resources, 'node/node'),
      [path.join(resources, 'agent/src/agent/cli.js'), 'doctor', '--json'],
      {
        encoding: 'utf8',
        env: { HOME: state, AGENT_STATE_DIR: state, AGENT_VAULT: 'file', PATH: '/usr/bin:/bin' },
      },
    );
    assert.match(agent.stdout, /^\{"findings":\[.*This computer is not enrolled/, agent.stderr);
    const binary = readFileSync(path.join(unpacked, 'content-security-agent'), 'latin1');
    const fuses = [...(binary.split(FUSES)[1] ?? '')].slice(2, 2 + FUSE_COUNT).join('');
    assert.equal(fuses[0], '0', 'it cannot be used as a plain Node');
    assert.equal(fuses[2], '0', 'NODE_OPTIONS change nothing');
    assert.equal(fuses[3], '0', 'no debugger can attach');
    assert.equal(fuses[5], '1', 'only the signed archive is loaded');
  });

const PLATFORM = 'linux';
/** Electron's marker before its fuses, their version and their number (docs of @electron/fuses). */
const FUSES = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSE_COUNT = 9;

/** The files of an unpacked Electron that the packaging reads, all fuses as delivered. */
function standInElectronDist(): string {
  const dir = folder('csg-electron-');
  const { version } = JSON.parse(readFileSync(require.resolve('electron/package.json'), 'utf8'));
  for (const folder of ['locales', 'resources']) mkdirSync(path.join(dir, folder));
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'locales/en-US.pak'])
    writeFileSync(path.join(dir, file), '');
  writeFileSync(path.join(dir, 'version'), version);
  const wire = Buffer.from([1, FUSE_COUNT]).toString('latin1') + '101100000'.slice(0, FUSE_COUNT);
  writeFileSync(path.join(dir, 'electron'), Buffer.from(`\x7fELF ${FUSES}${wire} end`, 'latin1'));
  assert.ok(readdirSync(dir).length > 0);
  return dir;
}
