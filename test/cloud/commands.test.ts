import { describe, test } from 'node:test';
import { commandLine } from '../support/command-line.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Refusal = readonly [args: readonly string[], sentence: RegExp, input?: string];

const KEY = ['keys', 'create', '--name', 'x'];
const ADMIN = ['admin', 'create', '--email', 'ada@example.com', '--password-stdin'];
const CREDENTIAL = ['providers', 'set-credential'];
const FREE = ['plan', 'set', '--plan', 'free'];

const REFUSALS: Readonly<Record<string, readonly Refusal[]>> = {
  keys: [
    [['keys', 'create'], /required option '--name <name>'/],
    [['keys', 'create', '--name', ' '], /1 to 50 characters/],
    [['keys', 'create', '--name', 'x'.repeat(51)], /1 to 50 characters/],
    [[...KEY, '--plan', 'gold'], /Enter one of free, pro, scale, enterprise/],
    [[...KEY, '--permissions', 'root'], /Enter one or more of proxy, scan/],
    [[...KEY, '--expires-at', 'tomorrow'], /Enter a time/],
    [[...KEY, '--project', 'proj_none'], /No such project: proj_none/],
    [[...KEY, '--colour', 'red'], /unknown option '--colour'/],
    [[...KEY, 'surplus'], /too many arguments/],
    [['keys', 'revoke', 'key_none'], /No such key/],
    [['keys', 'rotate', 'key_none'], /No such key/],
  ],
  admin: [
    [['admin', 'create'], /required option '--email <email>'/],
    [['admin', 'create', '--email', 'ada'], /"ada" is not an email address/],
    [ADMIN, /at least 12 characters/, 'short'],
    [ADMIN, /at most 256 characters/, 'x'.repeat(2_000)],
    [ADMIN, /easy to guess/, 'passwordpassword'],
  ],
  providers: [
    [CREDENTIAL, /required option '--provider <name>'/],
    [[...CREDENTIAL, '--provider', 'openai'], /on standard input/, ''],
    [[...CREDENTIAL, '--provider', 'opnai'], /Unknown provider "opnai"\. Providers: .*openai/, 'sk-x'],
    [[...CREDENTIAL, '--provider', 'openai', '--project', 'proj_none'], /No such project: proj_none/, 'sk-x'],
  ],
  enrollments: [
    [['enrollments', 'create', '--uses', '0'], /whole number of at least 1/],
    [['enrollments', 'create', '--uses', 'x'], /whole number/],
    [['enrollments', 'create', '--expires-in', 'forever'], /Enter a duration/],
  ],
  plan: [
    [['plan', 'set'], /Set a plan with --plan, a status with --status, or both/],
    [['plan', 'set', '--status', 'trialing'], /Enter one of active, past_due, canceled, none/],
    [['plan', 'set', '--status', 'active', '--monthly', '5'], /require --plan/],
    [['plan', 'set', '--plan', 'pro', '--email', 'x@example.com'], /No account has the email address/],
    [[...FREE, '--per-minute', '0'], /whole number of at least 1/],
    [[...FREE, '--monthly', '1.5'], /whole number/],
    [[...FREE, '--monthly', ''], /whole number/],
    [[...FREE, '--spend-cap', 'much'], /amount in US dollars/],
  ],
  exceptions: [
    [['exceptions', 'approve', 'exc_none'], /^No such exception\.\n$/],
    [['exceptions', 'list', '--status', 'odd'], /Enter one of pending, approved/],
  ],
  projects: [
    [['projects', 'create', '--name', 'x', '--use-case', 'moon'], /support_bot/],
    [['projects', 'delete', 'proj_none'], /No such project/],
  ],
  webhooks: [
    [['webhooks', 'add', '--url', 'http://127.0.0.1:9/hook'], /address|private/i],
    [['webhooks', 'list', '--project', 'proj_none'], /No such project/],
  ],
  events: [[['events', 'show', 'evt_nothing'], /^No such event in this organization: evt_nothing\.\n$/]],
};

describe('the operator’s commands reject invalid input with one sentence', () => {
  const commands = commandLine(tempFolder('commands'));
  for (const [name, rows] of Object.entries(REFUSALS))
    test(name, async () => {
      for (const row of rows) await commands.refuse(...row);
    });
});
