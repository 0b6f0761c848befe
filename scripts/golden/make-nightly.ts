import { GROUPS } from '../nightly/groups.ts';
import { markdownTable } from './markdown.ts';

/** Returns what the nightly groups run, and what of it `npm test` runs. */
export function makeNightly(): string {
  const rows = GROUPS.flatMap(({ name, suites, commands }) => [
    ...suites.map(({ file, claim, part }) => [name, `\`${file}\``, claim, part]),
    ...commands.map(({ args, claim, part }) => [name, `\`npm run lab -- ${args.join(' ')}\``, claim, part]),
  ]);
  return markdownTable(['group', 'suite or command', 'claim', 'in `npm test`'], rows);
}
