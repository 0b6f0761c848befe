import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Autostart, AutostartOptions } from './autostart.ts';
import { runSteps } from './run-steps.ts';
import { writeServiceFile } from './service-file.ts';
import { TASK_NAME, windowsTask } from './windows-task.ts';

const TOOL = 'schtasks.exe';

/** Windows: a task at the user's logon. */
export function createWindowsAutostart({ run }: Pick<AutostartOptions, 'run'>): Autostart {
  return {
    name: 'Task Scheduler',
    async install(program) {
      const folder = mkdtempSync(path.join(tmpdir(), 'content-security-agent-'));
      const file = path.join(folder, 'task.xml');
      try {
        const problem = writeServiceFile(file, Buffer.from(`\uFEFF${windowsTask(program)}`, 'utf16le'));
        return (
          problem ??
          (await runSteps(run, TOOL, [
            ['/Create', '/F', '/TN', TASK_NAME, '/XML', file],
            ['/Run', '/TN', TASK_NAME],
          ]))
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    async state() {
      const found = await run(TOOL, ['/Query', '/TN', TASK_NAME, '/FO', 'CSV', '/NH']);
      if (found.code !== 0) return { kind: 'absent' };
      // The fields are "name","next run","state", in the user's language.
      return { kind: 'installed', state: found.stdout.trim().split('","').at(-1)?.replace('"', '') ?? '' };
    },
    async remove() {
      if ((await this.state()).kind === 'absent') return null;
      await run(TOOL, ['/End', '/TN', TASK_NAME]);
      return runSteps(run, TOOL, [['/Delete', '/F', '/TN', TASK_NAME]]);
    },
  };
}
