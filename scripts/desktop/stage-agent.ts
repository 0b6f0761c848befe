import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { NATIVE_PACKAGES } from './build-app.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Files of a package that are needed at run time; sources and binaries for other systems are excluded. */
const NEEDED = /(?:\.js|\.cjs|\.json|LICENSE[^/]*)$/;

export interface Staged {
  /** Packaged as `resources/node`. */
  readonly nodeDir: string;
  /** Packaged as `resources/agent/node_modules`. */
  readonly nativeDir: string;
}

/** Copies what the agent needs besides its own code on this system: a plain Node, and native packages. */
export function stageAgent(target: string): Staged {
  const nodeDir = path.join(target, 'node');
  const nativeDir = path.join(target, 'native');
  mkdirSync(nodeDir, { recursive: true });
  cpSync(process.execPath, path.join(nodeDir, process.platform === 'win32' ? 'node.exe' : 'node'));
  stageNative(nativeDir);
  return { nodeDir, nativeDir };
}

export function stageNative(nativeDir: string): void {
  for (const name of NATIVE_PACKAGES) copyPackage(name, nativeDir);
  for (const name of platformPackages()) copyPackage(name, nativeDir);
}

function copyPackage(name: string, nativeDir: string): void {
  const from = path.join(ROOT, 'node_modules', name);
  const own = `${process.platform}-${process.arch}`;
  cpSync(from, path.join(nativeDir, name), {
    recursive: true,
    dereference: true,
    filter(file) {
      const inside = path.relative(from, file);
      if (inside.startsWith('deps') || inside.startsWith('src') || inside.startsWith('node_modules'))
        return false;
      if (file.endsWith('.node'))
        return !inside.startsWith('prebuilds') || path.basename(file) === `${own}.node`;
      return NEEDED.test(file) || path.extname(file) === '';
    },
  });
}

/** The packages with the keychain's native part for this system. */
function platformPackages(): string[] {
  const manifest = createRequire(import.meta.url).resolve('keytar/package.json');
  const { optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    optionalDependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(optionalDependencies).filter((name) => {
    try {
      createRequire(manifest).resolve(`${name}/package.json`);
      return true;
    } catch {
      return false;
    }
  });
}
