/** The seed of a revision: it chooses which part of each slow suite `npm test` runs, and its random cases. */
import { spawnSync } from 'node:child_process';

/** In a copy of the project without git. */
const WITHOUT_GIT = 1;
/** 32 bits. */
const DIGITS = 8;

/** The same for the same files, whoever commits them and when; CSG_SEED sets another. */
export function seedOfRevision(root: string, env: NodeJS.ProcessEnv = process.env): number {
  const set = env['CSG_SEED'];
  if (set !== undefined) return parseSeed(set);
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout.slice(0, DIGITS), 16) : WITHOUT_GIT;
}

/** Throws one sentence if it is none. */
export function parseSeed(text: string): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed < 2 ** 32) return seed;
  throw new Error(`A seed is an integer from 0 to ${2 ** 32 - 1}, not "${text}".`);
}
