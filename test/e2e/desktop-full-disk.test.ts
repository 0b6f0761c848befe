/** A disk that fills up under the agent: a small one of the test's own. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Json } from '../support/answers.ts';
import { agentCommands } from '../support/desktop/agent-process.ts';
import { ATTACK, HARMLESS, openAgentTestEnv } from '../support/desktop/agent-test-env.ts';
import { noCurl } from '../support/desktop/curl.ts';
import { fakeGsettings } from '../support/desktop/fake-gsettings.ts';
import { childOf } from '../support/desktop/processes.ts';
import { partOf } from '../support/part.ts';
import { mountSmallDisk, NO_SMALL_DISK } from '../support/small-disk.ts';
import { untilTrue } from '../support/until.ts';

const gsettings = fakeGsettings();
const isLed = () => gsettings.read('mode') === 'auto';
const disk = mountSmallDisk(4);

const CHOSEN = partOf('full disk', ['running', 'enrolling'], 1);

if (CHOSEN.includes('running'))
  test('with a full disk the agent protects and says so, and makes no change that it could not undo', {
    skip: disk === null ? NO_SMALL_DISK : noCurl,
  }, async () => {
    const small = await openAgentTestEnv({
      deviceFolder: path.join(disk?.folder ?? '', 'device'),
      agentEnv: (device) => ({
        PATH: `${gsettings.folder}:${process.env['PATH']}`,
        AGENT_SYSTEM_PROXY: 'on',
        SSL_CERT_FILE: path.join(device, 'state', 'root.pem'),
      }),
    });
    try {
      const agent = await small.start();
      await untilTrue(isLed, () => agent.output());
      const port = await small.proxyPort();
      await small.gateway.kill();
      disk?.fill();
      for (let i = 0; i < 40; i++)
        assert.notEqual((await small.ask(ATTACK, port)).status, 200, `attack ${i}`);
      assert.equal((await small.ask(HARMLESS, port)).status, 200);
      const { problem } = await small.agent.status();
      assert.match(problem ?? '', /cannot be stored for the service .*\. Free space on the disk/);
      process.kill(childOf(agent.child.pid ?? 0, 'proxy-process') ?? 0, 'SIGKILL');
      await untilTrue(
        () => !isLed(),
        () => 'the setting was not put back',
      );
      let reported: string | null = null;
      await untilTrue(
        async () => {
          // Space freed in between is used up immediately.
          disk?.fill();
          reported = (await small.agent.status()).problem;
          return /restore journal cannot be written, so nothing was changed/.test(reported ?? '');
        },
        () => `${reported}\n${agent.output()}`,
      );
      assert.ok(!isLed());
      await agent.end('SIGTERM');
      disk?.fill();
      const again = await small.agent.run('run');
      assert.equal(again.code, 1);
      assert.match(
        again.stderr,
        /^The folder .* of the agent cannot be written \(\w+\)\. Check its permissions and free space\.\n$/,
      );
      disk?.free();
      const mended = await small.start();
      await mended.end('SIGTERM');
    } finally {
      await small.close();
      disk?.remove();
    }
  });

const enrolling = mountSmallDisk(1);

if (CHOSEN.includes('enrolling'))
  test('enrolling on a full disk fails in one sentence, leaves nothing and revokes the device', {
    skip: enrolling === null ? NO_SMALL_DISK : noCurl,
  }, async () => {
    const testEnv = await openAgentTestEnv();
    const newcomer = agentCommands(path.join(enrolling?.folder ?? '', 'newcomer'));
    const enroll = async () => {
      const { token } = await testEnv.operator.json(['enrollments', 'create']);
      return newcomer.run('enroll', '--server', testEnv.gateway.address, '--token', String(token));
    };
    try {
      enrolling?.fill();
      const { code, stderr } = await enroll();
      assert.equal(code, 1);
      assert.match(stderr, /^[^\n]*cannot be (?:written|used) \(\w+\)[^\n]*\n$/);
      assert.equal(existsSync(path.join(newcomer.stateDir, 'enrollment.json')), false);
      const { devices } = (await testEnv.operator.json(['devices', 'list'])) as { devices: Json[] };
      const left = devices.filter(({ state }) => state !== 'revoked');
      assert.equal(left.length, 1, 'only the device of the environment itself');
      enrolling?.free();
      const again = await enroll();
      assert.equal(again.code, 0, again.stderr);
    } finally {
      await testEnv.close();
      enrolling?.remove();
    }
  });
