import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { runCommandLine } from '../../apps/cloud/src/cli.ts';
import type { Shell } from '../../apps/cloud/src/run-process.ts';
import type { Json } from './answers.ts';
import { runCli } from './gateway-process.ts';

export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;
type Run = (args: readonly string[], env: Env, input?: string) => Promise<CommandEnd>;

/** Runs one operator's command on a data folder. */
export interface CommandLine {
  run(args: readonly string[], input?: string): Promise<CommandEnd>;
  /** With `--json`: returns the one object that it has to print, and nothing else. */
  json(args: readonly string[], input?: string): Promise<Json>;
  /** Asserts that the command fails with a message: no standard output, no stack, an exit code other than 0. */
  refuse(args: readonly string[], sentence: RegExp, input?: string): Promise<void>;
}

/**
 * Runs commands in this process, with their own environment, streams and exit code: a process takes a second of CPU
 * time to start.
 */
export function commandLine(dataDir: string, env: Env = {}): CommandLine {
  return createCommandLine(
    (args, given, input) => runInShell(given, (shell) => runCommandLine(shell, args), input),
    dataDir,
    env,
  );
}

/** Runs each command as a process of its own. */
export function commandProcesses(dataDir: string, env: Env = {}): CommandLine {
  return createCommandLine(runCli, dataDir, env);
}

function createCommandLine(runWith: Run, dataDir: string, env: Env): CommandLine {
  const run: CommandLine['run'] = (args, input) =>
    runWith(args, { GATEWAY_DATA_DIR: dataDir, ...env }, input);
  return {
    run,
    async json(args, input) {
      const ended = await run([...args, '--json'], input);
      assert.equal(ended.code, 0, ended.stderr);
      assert.match(ended.stdout, /^\{.*\}\n$/, 'one line, one object');
      return JSON.parse(ended.stdout) as Json;
    },
    async refuse(args, sentence, input) {
      const ended = await run(args, input);
      const shown = `${args.join(' ')}\n${ended.stdout}${ended.stderr}`;
      assert.notEqual(ended.code, 0, shown);
      assert.equal(ended.stdout, '', shown);
      assert.match(ended.stderr, sentence, shown);
      assert.doesNotMatch(ended.stderr, /^\s+at /m, shown);
    },
  };
}

/** Runs a program in this process, with an environment, streams and an exit code of its own. */
export async function runInShell(
  env: Env,
  run: (shell: Shell) => Promise<void>,
  input = '',
): Promise<CommandEnd> {
  const [stdout, stderr] = [gatherText(), gatherText()];
  const shell: Shell = {
    env: { HOST: '127.0.0.1', PORT: '0', ...env },
    stdin: Readable.from([Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  };
  await run(shell);
  return { code: Number(shell.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
}

function gatherText() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
