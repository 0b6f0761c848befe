/**
 * Checks that commit titles are meaningful and fit on one line of a log: part of `npm run check`. Without a git history
 * there is nothing to check.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const MAX_TITLE = 72;
/** Older titles are not checked. */
const SINCE = '2026-11-23T10:00:00Z';

/** `log`: lines of an abbreviated id, a space and the title. */
export function titleViolations(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [id = ''] = line.split(' ', 1);
      const title = line.slice(id.length + 1);
      if (title.length > MAX_TITLE)
        return [
          `${id} has a title of ${title.length} characters (maximum: ${MAX_TITLE}): git commit --amend`,
        ];
      return title.trim().includes(' ')
        ? []
        : [`${id} has the title "${title}", which describes no change: git commit --amend`];
    });
}

export function checkCommits(root: string, since = SINCE): string[] {
  const args = ['log', '--no-merges', `--since=${since}`, '--format=%h %s'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? titleViolations(stdout) : [];
}

if (import.meta.main) {
  const violations = checkCommits(path.resolve(import.meta.dirname, '..'));
  for (const fault of violations) console.error(fault);
  if (violations.length > 0) process.exitCode = 1;
}
