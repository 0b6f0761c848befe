import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { MODULES, SOURCE_FOLDERS } from '../../scripts/structure/modules.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CLOCKS = 'export const a = () => setTimeout(() => {}, 1);\n';
const LAB = "import { a } from '../lab/grammar.ts';\nexport const b = a;\n";
const BUFFER = "export const a = () => Buffer.from('');\n";

/** A file in every module that is pure, and every pure file of the others. */
const PURE = MODULES.flatMap(({ package: name, paths, isPure, pureFiles }) => {
  const folder = `${SOURCE_FOLDERS[name]}/${paths[0]}`;
  return isPure ? [`${folder}/probe.ts`] : pureFiles.map((file) => `${folder}/${file}`);
});
const REFUSED: readonly (readonly [file: string, text: string, rule: string])[] = [
  ...PURE.map((file) => [file, CLOCKS, 'noRestrictedGlobals'] as const),
  ['shared/detection/read/probe.ts', BUFFER, 'noRestrictedGlobals'],
  ['apps/cloud/src/flows/fetches.ts', "export const a = () => fetch('x');\n", 'noRestrictedGlobals'],
  ['apps/cloud/src/flows/reads-env.ts', "export const a = process.env['A'];\n", 'noProcessEnv'],
  ['apps/cloud/src/flows/has-default.ts', 'export default 1;\n', 'noDefaultExport'],
  ['apps/cloud/src/flows/re-exports.ts', "export { a } from './fetches.ts';\n", 'noBarrelFile'],
  ['apps/cloud/src/flows/notKebab.ts', 'export const a = 1;\n', 'useFilenamingConvention'],
  ['apps/cloud/src/flows/long.ts', 'console.log(1);\n'.repeat(401), 'noExcessiveLinesPerFile'],
  ['scripts/probe.ts', LAB, 'noRestrictedImports'],
  ['test/shared/probe.ts', LAB, 'noRestrictedImports'],
  ['apps/cloud/src/flows/one.ts', "export type { A } from './two.ts';\n", 'noImportCycles'],
  ['apps/cloud/src/flows/two.ts', "export type { A } from './one.ts';\n", 'noImportCycles'],
];
const ALLOWED: readonly (readonly [file: string, text: string])[] = [
  ['shared/detection/read/codes.ts', BUFFER],
  ['shared/text/index.ts', "export { a } from './b.ts';\n"],
  ['apps/cloud/src/upstream/fetches.ts', "export const a = () => fetch('x');\n"],
  ['apps/cloud/src/main.ts', "export const a = process.env['A'];\n"],
  ['apps/cloud/src/flows/clock.ts', CLOCKS],
  ['scripts/lab/probe.ts', LAB],
  ['test/shared/detection/model-budget.test.ts', LAB],
];

describe('the rules of biome.json that guard the structure', () => {
  const found = new Map<string, string[]>();
  before(() => {
    const folder = tempFolder('lint-rules');
    const { vcs: _, ...config } = JSON.parse(readFileSync(path.join(ROOT, 'biome.json'), 'utf8'));
    writeFileSync(path.join(folder, 'biome.json'), JSON.stringify(config));
    for (const [file, text] of [...REFUSED, ...ALLOWED]) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    const biome = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const args = ['lint', '--reporter=github', '--max-diagnostics=none', '.'];
    const { stdout } = spawnSync(process.execPath, [biome, ...args], { cwd: folder, encoding: 'utf8' });
    for (const [, rule = '', file = ''] of stdout.matchAll(/title=lint\/\w+\/(\w+),file=([^,]+)/g)) {
      const name = path.relative(folder, path.resolve(folder, file)).replaceAll('\\', '/');
      found.set(name, [...(found.get(name) ?? []), rule]);
    }
  });

  for (const [file, , rule] of REFUSED)
    it(`${rule} reports ${file}`, () => assert.ok(found.get(file)?.includes(rule), `${found.get(file)}`));

  for (const [file] of ALLOWED)
    it(`nothing is reported for ${file}`, () => assert.equal(found.get(file), undefined));
});
