import { builtinModules } from 'node:module';
import path from 'node:path';
import { CONFINED, CONNECTING, type Confined } from './confined.ts';
import type { Import } from './parse-source.ts';
import { doorOf, isPure, MODULES, type Module, moduleId, moduleOf, SOURCE_FOLDERS } from './rooms.ts';

/** The project data against which an import is checked. */
export interface Project {
  /** Every source file, as a path from the root. */
  readonly files: ReadonlySet<string>;
  /** Names of npm packages that the package of this module may import. */
  readonly dependencies: (room: Module) => ReadonlySet<string>;
}

/** Returns sentences about one import of one source file; empty if it is allowed. */
export function importViolations(file: string, room: Module, imported: Import, project: Project): string[] {
  const { specifier } = imported;
  if (specifier.startsWith('.')) return relativeViolations(file, room, imported, project);
  if (specifier.startsWith('@csg/')) return doorViolations(room, specifier);
  return packageViolations(file, room, imported, project);
}

function relativeViolations(
  file: string,
  room: Module,
  { specifier, isType }: Import,
  { files }: Project,
): string[] {
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  if (!files.has(target)) return [`${room.name} imports ${specifier}, and there is no such file`];
  const other = moduleOf(target);
  if (other === undefined) {
    return [`${room.name} may not import ${target}, because what ships imports no script, test or tool`];
  }
  if (other.package !== room.package) {
    return other.package === 'shared'
      ? [
          `${room.name} may not import ${target}, because apps enter shared only by its doors: ${doorOf(other)}`,
        ]
      : [`${room.name} may not import ${target}, because apps never import each other`];
  }
  if (other === room) return [];
  if (room.package === 'shared' && target !== `shared/${other.name}/index.ts`) {
    return [
      `${room.name} may not import ${target}, because rooms of shared meet only at ../${other.name}/index.ts`,
    ];
  }
  if (other.level > room.level) {
    return [`${room.name} may not import ${other.name}, because ${room.name} stands below it: ${room.about}`];
  }
  if (other.level === room.level) {
    return [`${room.name} may not import ${other.name}, because they stand side by side: ${room.about}`];
  }
  if (!isType && room.typesOnly?.includes(other.name)) {
    return [
      `${room.name} may import only types from ${other.name}, because its values are handed in by the wiring`,
    ];
  }
  return [];
}

function doorViolations(room: Module, specifier: string): string[] {
  const doors = MODULES.filter(({ package: name }) => name === 'shared').map(doorOf);
  if (!doors.includes(specifier)) {
    return [
      `${room.name} may not import ${specifier}, because shared has only these doors: ${doors.join(', ')}`,
    ];
  }
  if (room.package === 'shared') {
    return [`${room.name} may not import ${specifier}, because inside shared rooms use the relative path`];
  }
  return [];
}

function packageViolations(
  file: string,
  room: Module,
  { specifier, isType, names }: Import,
  { dependencies }: Project,
): string[] {
  const isBuiltin = specifier.startsWith('node:') || builtinModules.includes(specifier);
  if (isBuiltin && !specifier.startsWith('node:')) {
    return [`${room.name} imports ${specifier}; write node:${specifier}`];
  }
  if (isBuiltin && isPure(room, file)) {
    return [`${room.name} may not import ${specifier}, because it is pure: ${room.about}`];
  }
  const name = packageName(specifier);
  if (!isBuiltin && !dependencies(room).has(name)) {
    return [`${room.name} imports ${name}, and ${manifestOf(room)} does not name it`];
  }
  const confined = CONFINED.find(({ packages }) => packages.some((pattern) => matches(pattern, specifier)));
  if (confined !== undefined && !confined.rooms.includes(moduleId(room)))
    return [refusal(room, specifier, confined)];
  const connecting = isType
    ? []
    : names.filter((each) => CONNECTING[specifier]?.includes(each) || each === '*');
  const outbound = CONFINED.find(({ packages }) => packages.includes('undici'));
  if (outbound === undefined || !(specifier in CONNECTING) || outbound.rooms.includes(moduleId(room)))
    return [];
  return connecting.map((each) =>
    refusal(room, each === '*' ? `all of ${specifier}` : `${each} of ${specifier}`, outbound),
  );
}

function refusal(room: Module, what: string, { rooms, because }: Confined): string {
  return `${room.name} may not import ${what}, because ${because} (allowed: ${rooms.join(', ')})`;
}

function matches(pattern: string, specifier: string): boolean {
  if (pattern.endsWith('/*')) return specifier.startsWith(pattern.slice(0, -1));
  return specifier === pattern || specifier.startsWith(`${pattern}/`);
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

export function manifestOf(room: Module): string {
  if (room.name === 'client') return 'shared/client/package.json';
  return `${SOURCE_FOLDERS[room.package].replace(/\/src$/, '')}/package.json`;
}
