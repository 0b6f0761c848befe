import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRunCommand } from '../../../apps/desktop/src/trust/run-command.ts';

const run = createRunCommand({ PATH: process.env['PATH'], KEPT: 'yes' });
const node = (code: string) => run(process.execPath, ['-e', code]);

test('passes arguments, input and exit code, without a shell', async () => {
  assert.deepEqual(await node('console.log(process.env.KEPT, process.env.LC_ALL); process.exit(3)'), {
    code: 3,
    stdout: 'yes C\n',
    stderr: '',
  });
  const echo = await run(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], { input: 'in' });
  assert.equal(echo.stdout, 'in');
  const odd = await run(process.execPath, ['-p', 'process.argv[1]', '$(id); `id`']);
  assert.equal(odd.stdout, '$(id); `id`\n');
});

test('a missing program, or one that takes too long, has no exit code', async () => {
  assert.equal((await run('/nonexistent/tool', [])).code, null);
  assert.equal(
    (await run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 300 })).code,
    null,
  );
});
