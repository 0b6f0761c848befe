import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ComparedAgent, Start } from './agents.ts';
import { type Task, WORKSPACE } from './tasks.ts';

/** No start of an agent takes longer, on a machine with much else to do. */
const RUN_MS = 240_000;
/** One white pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';
const GIT_DATE = '2026-03-02T10:00:00Z';

export interface Installed {
  readonly agent: ComparedAgent;
  readonly version: string;
  /** Its own folder of packages. */
  readonly folder: string;
}

interface TaskRun {
  /** False: it had to be stopped. */
  readonly hasEnded: boolean;
  /** What the agent shows, without what differs from start to start. */
  readonly shown: string;
}

/** Starts an agent for a task, in a home and a folder that are the same for every run, and made anew for each. */
export async function runTask(
  { agent, folder }: Installed,
  task: Task,
  { url, key, place }: { url: string; key: string; place: string },
): Promise<TaskRun> {
  rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  const [home, workspace] = [path.join(place, 'home'), path.join(place, 'work')];
  prepareWorkspace(workspace);
  const mcpServer = path.join(import.meta.dirname, 'mcp-server.mjs');
  const program = agent.programs
    .map((one) => path.join(folder, 'node_modules', one))
    .find((file) => existsSync(file));
  if (program === undefined) throw new Error(`${agent.name} is not installed in ${folder}`);
  const [command, ...before] =
    agent.own === undefined ? [program] : [process.execPath, path.join(import.meta.dirname, agent.own)];
  const runs: TaskRun[] = [];
  for (const [index, prompt] of [
    task.prompt,
    ...(task.followUp === undefined ? [] : [task.followUp]),
  ].entries()) {
    const start: Start = {
      ...{ task, prompt, isSecond: index === 1, url, key, home, workspace, folder, mcpServer },
    };
    for (const [name, text] of Object.entries(agent.files?.(start) ?? {})) {
      mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
      writeFileSync(path.join(home, name), text);
    }
    mkdirSync(home, { recursive: true });
    const run = await startProgram(command!, [...before, ...agent.args(start)], workspace, {
      ...{
        PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
        HOME: home,
        // A commit that the agent makes has the same id in every run.
        ...{ GIT_AUTHOR_DATE: GIT_DATE, GIT_COMMITTER_DATE: GIT_DATE },
        CI: '1',
        NO_COLOR: '1',
      },
      XDG_CACHE_HOME: path.join(folder, 'cache'),
      ...agent.env(start),
    });
    runs.push(run);
  }
  return {
    hasEnded: runs.every(({ hasEnded }) => hasEnded),
    shown: runs.map(({ shown }) => shown).join('\n'),
  };
}

function prepareWorkspace(workspace: string): void {
  mkdirSync(workspace, { recursive: true });
  for (const [name, text] of Object.entries(WORKSPACE)) writeFileSync(path.join(workspace, name), text);
  writeFileSync(path.join(workspace, 'pixel.png'), Buffer.from(PNG, 'base64'));
  const git = (...args: string[]): void =>
    void execFileSync(
      'git',
      ['-c', 'user.name=Mara Lind', '-c', 'user.email=mara.lind@norrvik-post.example', ...args],
      {
        ...{ cwd: workspace, stdio: 'ignore' },
        env: { ...process.env, GIT_AUTHOR_DATE: GIT_DATE, GIT_COMMITTER_DATE: GIT_DATE },
      },
    );
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Add the cache');
}

function startProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<TaskRun> {
  const child = spawn(program, [...args], {
    ...{ cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: RUN_MS, killSignal: 'SIGKILL' },
  });
  // One after the other: which of both comes first differs from start to start.
  const [shown, reported]: [string[], string[]] = [[], []];
  child.stdout?.on('data', (piece) => shown.push(String(piece)));
  child.stderr?.on('data', (piece) => reported.push(String(piece)));
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ hasEnded: true, shown: message }));
    child.once('close', (_code, signal) =>
      resolve({ hasEnded: signal !== 'SIGKILL', shown: steady([...shown, '\n', ...reported].join('')) }),
    );
  });
}

/** Removes what differs from start to start: colors, ids, times and durations, ports. */
function steady(output: string): string {
  return output
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.-]+Z?/g, 'TIME')
    .replace(/\breq_\w+/g, 'REQUEST')
    .replace(/^Date:.*$/gm, 'Date')
    .replace(/^\[STARTUP\].*\n?/gm, '')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1')
    .replace(/\b\d+(?:\.\d+)?\s?m?s\b/g, 'DURATION')
    .trim();
}
