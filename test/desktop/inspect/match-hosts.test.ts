import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { hostMatcher, normalHost } from '../../../apps/desktop/src/inspect/match-hosts.ts';
import { runCommand } from '../../support/run-command.ts';

test('a name matches itself only, a wildcard every name below it but not the name', () => {
  const matches = hostMatcher(['api.openai.com', '*.claude.ai', '::1']);
  for (const host of ['api.openai.com', 'API.OpenAI.com.', 'a.claude.ai', 'a.b.claude.ai', '[::1]']) {
    assert.ok(matches(host), host);
  }
  for (const host of [
    'openai.com',
    'x.api.openai.com',
    'claude.ai',
    'evilclaude.ai',
    'api.openai.com.evil.example',
  ]) {
    assert.ok(!matches(host), host);
  }
  assert.equal(normalHost('[2001:DB8::1]'), '2001:db8::1');
});

test("the agent's own process does not load the engine, the proxy process does", async () => {
  assert.deepEqual(await enginesOf('agent/cli.ts'), []);
  assert.notDeepEqual(await enginesOf('proxy/start-proxy.ts'), []);
});

/** The files of the engine that a program loads at its start. */
async function enginesOf(program: string): Promise<string[]> {
  const file = path.resolve(import.meta.dirname, '../../../apps/desktop/src', program);
  const script = `
    import { registerHooks } from 'node:module';
    const found = [];
    registerHooks({ load: (url, context, next) => {
      if (url.includes('/shared/detection/')) found.push(url);
      return next(url, context);
    } });
    await import(${JSON.stringify(pathToFileURL(file).href)});
    console.log(JSON.stringify(found));
    process.exit(0);`;
  const { stdout, stderr } = await runCommand(process.execPath, ['--input-type=module', '-e', script]).ended;
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}
