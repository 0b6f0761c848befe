import assert from 'node:assert/strict';
import type { Json } from './answers.ts';
import { type Ended, runCli } from './gateway-process.ts';

/** Runs one operator's command on a data folder. */
export interface CommandLine {
  run(args: readonly string[], input?: string): Promise<Ended>;
  /** With `--json`: the one object that it has to print, alone. */
  json(args: readonly string[], input?: string): Promise<Json>;
  /** The command has to fail in words: nothing on standard output, no stack, a code that is not 0. */
  refuse(args: readonly string[], sentence: RegExp, input?: string): Promise<void>;
}

export function commandLine(dataDir: string, env: Readonly<Record<string, string>> = {}): CommandLine {
  const run: CommandLine['run'] = (args, input) => runCli(args, { GATEWAY_DATA_DIR: dataDir, ...env }, input);
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
