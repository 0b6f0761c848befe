import { type ChildProcess, spawn } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once standard output contains this text; rejects if the process ends before. */
  outputHas(text: string): Promise<void>;
}

/** Runs a program and collects its output. */
export function runCommand(
  program: string,
  args: readonly string[],
  {
    input,
    ...options
  }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
): RunningCommand {
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    child,
    ended,
    outputHas: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (stdout.includes(text)) resolve();
        };
        child.stdout.on('data', look);
        look();
        void ended.then(() => reject(new Error(`ended before it said ${text}: ${stdout}${stderr}`)));
      }),
  };
}
