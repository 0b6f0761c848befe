import { existsSync } from 'node:fs';
import path from 'node:path';
import { CONFINED } from '../structure/confined.ts';
import { MODULES, type Module, SOURCE_FOLDERS } from '../structure/modules.ts';
import { markdownTable } from './markdown.ts';

/** The modules that exist, by package and level, and the packages that are confined to some of them. */
export function makeModuleTable(root: string): string {
  const modules = MODULES.filter((module) => moduleExists(root, module));
  const rows = modules.map((module) => [
    module.package,
    String(module.level),
    `\`${module.name}\`${module.isPure ? ' (pure)' : ''}`,
    (module.paths ?? [`${module.name}/`]).map((each) => `\`${each}\``).join(' '),
    `${module.about}${module.typesOnly ? `; of ${module.typesOnly.join(', ')} it sees only types` : ''}`,
  ]);
  const here = new Set(modules.map((module) => `${module.package}/${module.name}`));
  const confined = CONFINED.map(({ packages, modules: allowed, because }) => [
    packages.map((name) => `\`${name}\``).join(' '),
    allowed.filter((name) => here.has(name)).join(', '),
    because,
  ]).filter(([, allowed]) => allowed !== '');
  return [
    markdownTable(['package', 'level', 'module', 'where', 'because'], rows),
    '',
    markdownTable(
      ['only these modules', 'may import', 'because'],
      confined.map(([packages = '', allowed = '', because = '']) => [allowed, packages, because]),
    ),
  ].join('\n');
}

export function moduleExists(root: string, module: Module): boolean {
  return (module.paths ?? [module.name]).some((part) =>
    existsSync(path.join(root, SOURCE_FOLDERS[module.package], part)),
  );
}
