import { existsSync } from 'node:fs';
import path from 'node:path';
import { CONFINED } from '../structure/confined.ts';
import { MODULES, type Module, SOURCE_FOLDERS } from '../structure/rooms.ts';
import { markdownTable } from './markdown.ts';

/** The modules that exist, by package and level, and the packages that are confined to some of them. */
export function makeModuleTable(root: string): string {
  const rooms = MODULES.filter((room) => moduleExists(root, room));
  const rows = rooms.map((room) => [
    room.package,
    String(room.level),
    `\`${room.name}\`${room.isPure ? ' (pure)' : ''}`,
    (room.paths ?? [`${room.name}/`]).map((each) => `\`${each}\``).join(' '),
    `${room.about}${room.typesOnly ? `; of ${room.typesOnly.join(', ')} it sees only types` : ''}`,
  ]);
  const here = new Set(rooms.map((room) => `${room.package}/${room.name}`));
  const confined = CONFINED.map(({ packages, rooms: allowed, because }) => [
    packages.map((name) => `\`${name}\``).join(' '),
    allowed.filter((name) => here.has(name)).join(', '),
    because,
  ]).filter(([, allowed]) => allowed !== '');
  return [
    markdownTable(['package', 'level', 'room', 'where', 'because'], rows),
    '',
    markdownTable(
      ['only these rooms', 'may import', 'because'],
      confined.map(([packages = '', allowed = '', because = '']) => [allowed, packages, because]),
    ),
  ].join('\n');
}

export function moduleExists(root: string, room: Module): boolean {
  return (room.paths ?? [room.name]).some((part) =>
    existsSync(path.join(root, SOURCE_FOLDERS[room.package], part)),
  );
}
