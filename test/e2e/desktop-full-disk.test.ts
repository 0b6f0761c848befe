/** A disk that fills up under the agent: a small one of our own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ATTACK, HARMLESS, openAgentWorld, until } from '../support/desktop/agent-world.ts';
import { fakeGsettings } from '../support/desktop/fake-gsettings.ts';
import { childOf } from '../support/desktop/processes.ts';

const FIVE_SECONDS = 5_000;
const gsettings = fakeGsettings();
const isLed = () => gsettings.read('mode') === 'auto';
const disk = mountSmallDisk();

test('a full disk: protected all the same, said, and nothing of the machine is changed that could not be put back', {
  skip: disk === null && 'mounting a small disk needs root',
}, async () => {
  const small = await openAgentWorld({
    deviceFolder: path.join(disk ?? '', 'device'),
    agentEnv: (device) => ({
      PATH: `${gsettings.folder}:${process.env['PATH']}`,
      AGENT_SYSTEM_PROXY: 'on',
      SSL_CERT_FILE: path.join(device, 'state', 'root.pem'),
    }),
  });
  try {
    const agent = await small.start();
    await until(isLed, 10_000, () => agent.output());
    const port = await small.proxyPort();
    await small.gateway.kill();
    fill(path.join(disk ?? '', 'filler'));
    for (let i = 0; i < 40; i++) assert.notEqual((await small.ask(ATTACK, port)).status, 200, `attack ${i}`);
    assert.equal((await small.ask(HARMLESS, port)).status, 200);
    const { problem } = await small.agent.status();
    assert.match(problem ?? '', /cannot be kept for the service .*: free space on the disk/);
    process.kill(childOf(agent.child.pid ?? 0, 'proxy-process') ?? 0, 'SIGKILL');
    await until(
      () => !isLed(),
      FIVE_SECONDS,
      () => 'the setting was not put back',
    );
    let told: string | null = null;
    await until(
      async () => {
        // What is given up in between is taken at once.
        fill(path.join(disk ?? '', 'filler'));
        told = (await small.agent.status()).problem;
        return /restore journal cannot be written, so nothing was changed/.test(told ?? '');
      },
      20_000,
      () => `${told}\n${agent.output()}`,
    );
    assert.ok(!isLed());
    await agent.end('SIGTERM');
    fill(path.join(disk ?? '', 'filler'));
    const again = await small.agent.run('run');
    assert.equal(again.code, 1);
    assert.match(
      again.stderr,
      /^The agent's folder .* cannot be written \(\w+\): free space or allow it\.\n$/,
    );
    rmSync(path.join(disk ?? '', 'filler'));
    const mended = await small.start();
    await mended.end('SIGTERM');
  } finally {
    await small.close();
    execFileSync('umount', ['-l', disk ?? '']);
  }
});

/** Four megabytes, or null where this user may not mount one. */
function mountSmallDisk(): string | null {
  if (process.getuid?.() !== 0) return null;
  const place = mkdtempSync(path.join(tmpdir(), 'csg-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place], { stdio: 'ignore' });
    return place;
  } catch {
    return null;
  }
}

function fill(file: string): void {
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // No more of this size.
    }
  }
}
