/** Checks that packages and images are pinned and have accepted licenses: part of `npm run check`, needs no network. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './structure/list-files.ts';

interface LockedPackage {
  /** Set if it is installed under another name. */
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** Licenses that only require users and redistributors to keep the notice. SPDX names. */
const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
]);

/** By package name, or by a prefix with an asterisk. */
const LICENCE_EXCEPTIONS: Readonly<Record<string, string>> = {
  'lightningcss*': 'MPL-2.0: build tool for the styles of the pages; used unmodified, not distributed',
  'read-tls-client-hello': 'Apache-2.0, in the old format that npm does not read',
};

const LOCKS = ['package-lock.json', 'build/package-lock.json'];
const IMAGE_FILES = ['Dockerfile', '.yaml'];

const nameOf = (location: string): string =>
  location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);
const isPackage = ([location, locked]: [string, LockedPackage]): boolean =>
  location.includes('node_modules/') && locked.link !== true;

/** Problems that make an installation untrusted. `mayRun`: packages whose install scripts were decided on. */
export function lockProblems(lock: Lock, mayRun: ReadonlySet<string>): string[] {
  return Object.entries(lock.packages)
    .filter(isPackage)
    .flatMap(([location, locked]) => {
      const problems: string[] = [];
      if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(locked.integrity ?? '')) {
        problems.push(`${location} has no SHA-512 checksum`);
      }
      if (locked.resolved !== undefined)
        problems.push(`${location} is downloaded from another host: ${locked.resolved}`);
      if (locked.hasInstallScript === true && !mayRun.has(nameOf(location))) {
        problems.push(
          `${location} runs an install script: allow or deny it in "allowScripts" of package.json`,
        );
      }
      return problems;
    });
}

/** Returns packages that ship or serve with a license that is not accepted. */
export function licenseProblems(lock: Lock): string[] {
  const isExcepted = (name: string): boolean =>
    Object.keys(LICENCE_EXCEPTIONS).some((rule) =>
      rule.endsWith('*') ? name.startsWith(rule.slice(0, -1)) : name === rule,
    );
  return Object.entries(lock.packages)
    .filter((entry) => isPackage(entry) && entry[1].dev !== true)
    .flatMap(([location, { license = 'none' }]) => {
      const isAllowed = license
        .replaceAll(/^\(|\)$/g, '')
        .split(' OR ')
        .some((one) => ALLOWED_LICENCES.has(one));
      if (isAllowed || isExcepted(nameOf(location))) return [];
      return [`${location} has the licence ${license}, which scripts/check-packages.ts does not allow`];
    });
}

/** Returns images without a fixed tag. Stages of the same file, values of a chart and our own image are exempt. */
export function imageProblems(file: string, text: string): string[] {
  const stages = new Set([...text.matchAll(/^FROM \S+ AS (\S+)/gim)].map((match) => match[1]));
  const images = [...text.matchAll(/^(?:FROM|\s*(?:-\s+)?image:)\s+["']?([^\s"'{]+)/gm)].map(
    (match) => match[1]!,
  );
  return images
    .filter((image) => !stages.has(image) && !/(^|\/)csg(:|$)/.test(image))
    .filter((image) => !/:v?\d+\.\d+(\.\d+)?[\w.-]*$/.test(image) && !/@sha256:[0-9a-f]{64}$/.test(image))
    .map((image) => `${file}: ${image} is not pinned: use an exact version or a digest`);
}

export function checkPackages(root: string): string[] {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
  const decided = new Set(Object.keys(allowScripts));
  const problems = LOCKS.flatMap((file) => {
    const lock = JSON.parse(read(file)) as Lock;
    // The tools that package the desktop app are installed without scripts, and do not ship.
    const mayRun = file === 'package-lock.json' ? decided : new Set(Object.keys(lock.packages).map(nameOf));
    return lockProblems(lock, mayRun).map((problem) => `${file}: ${problem}`);
  });
  problems.push(...licenseProblems(JSON.parse(read('package-lock.json')) as Lock));
  for (const file of listFiles(root, ['build'], IMAGE_FILES))
    problems.push(...imageProblems(file, read(file)));
  return problems;
}

if (import.meta.main) {
  const problems = checkPackages(path.resolve(import.meta.dirname, '..'));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
