import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createProgram } from '../../apps/cloud/src/cli.ts';
import { type CommandLine, commandLine, commandProcesses } from '../support/command-line.ts';

describe('the operator’s commands', { concurrency: 2 }, () => {
  let folder: string;
  let commands: CommandLine;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csg-test-'));
    commands = commandLine(join(folder, 'data'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('has every command of the manual, each with help for all its options', () => {
    const names: string[] = [];
    const program = createProgram(process);
    for (const command of program.commands) {
      names.push(
        ...(command.commands.length > 0 ? command.commands : [command]).map((leaf) =>
          leaf === command ? leaf.name() : `${command.name()} ${leaf.name()}`,
        ),
      );
      for (const part of [command, ...command.commands]) {
        assert.notEqual(part.description(), '', part.name());
        for (const option of part.options) {
          assert.notEqual(option.description, '', `${part.name()} ${option.flags}`);
          const shown = option.defaultValueDescription ?? option.defaultValue;
          const isBare = typeof shown === 'number' && shown >= 1000;
          assert.ok(!isBare, `${part.name()} ${option.flags} shows a default in an unreadable unit`);
        }
      }
    }
    for (const name of [
      'serve',
      'migrate',
      'admin create',
      'keys create',
      'enrollments create',
      'plan set',
      'providers set-credential',
      'audit verify',
      'audit export',
      'security-test',
    ]) {
      assert.ok(names.includes(name), `${name} is missing`);
    }
  });

  test('exits with 0 for --help, and with an error for an unknown command', async () => {
    const helps = await Promise.all([commands.run(['--help']), commands.run(['keys', 'create', '--help'])]);
    const [help, ofKeys] = await Promise.all([commands.run(['help']), commands.run(['help', 'keys'])]);
    assert.equal(help.code, 0);
    assert.equal(help.stdout, helps[0]?.stdout, 'help is --help');
    assert.match(ofKeys.stdout, /^Usage: gateway keys /);
    for (const { code, stdout } of helps) {
      assert.equal(code, 0);
      assert.match(stdout, /^Usage: gateway /);
    }
    assert.match(helps[1]?.stdout ?? '', /--permissions <list>/);
    await Promise.all([
      commands.refuse(['fly'], /unknown command 'fly'/),
      commandProcesses(folder).refuse(['fly'], /unknown command 'fly'/),
      commands.refuse(['keys', 'destroy'], /unknown command 'destroy'/),
      commands.refuse(['keys'], /Usage: gateway keys/),
      commands.refuse([], /Usage: gateway/),
    ]);
    assert.equal(existsSync(join(folder, 'data')), false, 'asking for help creates nothing');
  });

  test('migrate creates a missing database and leaves an existing one as it is', async () => {
    const own = commandProcesses(join(folder, 'new', 'data'));
    for (let n = 0; n < 2; n++) {
      const ended = await own.run(['migrate']);
      assert.equal(ended.code, 0, ended.stderr);
      assert.equal(ended.stdout, 'The schema is up to date.\n');
    }
    assert.ok(existsSync(join(folder, 'new', 'data', 'gateway.sqlite')));
    assert.equal(statSync(join(folder, 'new', 'data', 'master.key')).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, 'new', 'data')).mode & 0o777, 0o700);
  });
});
