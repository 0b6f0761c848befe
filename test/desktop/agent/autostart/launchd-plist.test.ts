import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { launchdPlist } from '../../../../apps/desktop/src/agent/autostart/launchd-plist.ts';
import { missingTool } from '../../../../scripts/system-tools.ts';

const READ = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';

for (const user of [null, 'alice']) {
  test(`a property list parser reads back every value, user ${user}`, {
    skip: missingTool(['python']),
  }, () => {
    const command = ['/opt/a & b/node', '/opt/<odd> "agent"/cli.js', 'run'];
    const env = { AGENT_STATE_DIR: '/Users/a/Library/Application Support/x', AGENT_EXTRA_HOSTS: 'a.example' };
    const input = launchdPlist({ command, env, user: 'alice', enrollmentFile: '/a & b/x.json' }, user);
    const { stdout, stderr } = spawnSync('python3', ['-c', READ], { input, encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.deepEqual(JSON.parse(stdout), {
      Label: 'com.content-security-agent.agent',
      ...(user !== null && { UserName: user }),
      ProgramArguments: command,
      EnvironmentVariables: env,
      RunAtLoad: true,
      KeepAlive: { PathState: { '/a & b/x.json': true } },
      ProcessType: 'Interactive',
      AbandonProcessGroup: true,
    });
  });
}
