import { spawn } from 'node:child_process';
import type { AppSettings } from './read-app-settings.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface AgentCommands {
  /** Runs a command of the agent. Rejects if it cannot be started. */
  run(...args: readonly string[]): Promise<CommandResult>;
  /** Runs it as an administrator with only `env` of our environment. */
  runElevated(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandResult>;
  /** Returns the JSON object that the command prints. Rejects with the agent's error message if it prints none. */
  json<T>(...args: readonly string[]): Promise<T>;
}

type CommandSettings = Pick<AppSettings, 'agent' | 'nodePath' | 'agentScript' | 'agentEnv'>;

/** The agent's command line, for commands that need no running agent. */
export function createAgentCommands({
  agent,
  nodePath,
  agentScript,
  agentEnv,
}: CommandSettings): AgentCommands {
  const start = ({ file, args }: Command): Promise<CommandResult> =>
    new Promise((resolve, reject) => {
      const child = spawn(file, [...args], {
        env: { ...agentEnv },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        stdout += chunk;
      });
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
      });
      child.once('error', (error) => {
        reject(
          new Error(
            file === nodePath
              ? `The agent could not be started (${error.message}). Reinstall the app.`
              : `Administrator rights could not be requested (${error.message}).`,
          ),
        );
      });
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  const command = (args: readonly string[]): Command => ({ file: nodePath, args: [agentScript, ...args] });
  const run: AgentCommands['run'] = (...args) => start(command(args));
  return {
    run,
    runElevated: (env, ...args) => start(elevate(command(args), env, agent.platform)),
    async json<T>(...args: readonly string[]): Promise<T> {
      const { stdout, stderr } = await run(...args, '--json');
      if (stdout.startsWith('{')) return JSON.parse(stdout) as T;
      throw new Error(lastLine(stderr) || 'The agent returned no output. See Diagnostics.');
    },
  };
}

export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The command run as an administrator, which the system itself confirms. `env` is the environment it needs; on Windows an
 * elevated program inherits the user's environment.
 */
export function elevate(
  { file, args }: Command,
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Command {
  if (platform === 'win32') {
    const list = args.map((arg) => `'"${quoteForPowerShell(arg)}"'`).join(',');
    const start = `Start-Process -FilePath '${quoteForPowerShell(file)}' -ArgumentList ${list} -Verb RunAs -WindowStyle Hidden -Wait -PassThru`;
    return {
      file: 'powershell.exe',
      args: ['-NoProfile', '-NonInteractive', '-Command', `exit (${start}).ExitCode`],
    };
  }
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  if (platform === 'darwin') {
    const line = ['/usr/bin/env', ...settings, file, ...args].map(quoteForShell).join(' ');
    // In an AppleScript string, only backslashes and quotes are escaped.
    const script = line.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    return { file: 'osascript', args: ['-e', `do shell script "${script}" with administrator privileges`] };
  }
  return { file: 'pkexec', args: ['env', ...settings, file, ...args] };
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function quoteForPowerShell(word: string): string {
  return word.replaceAll("'", "''");
}
