import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { AgentProgram } from '../../../../apps/desktop/src/agent/autostart/agent-program.ts';
import { systemdUnit } from '../../../../apps/desktop/src/agent/autostart/systemd-unit.ts';
import { missingTool } from '../../../../scripts/system-tools.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const ODD: AgentProgram = {
  command: [process.execPath, '/opt/it\'s 100% "odd" $HOME/cli.ts', 'run'],
  env: { AGENT_STATE_DIR: '/home/a b/50% \\ "x"', AGENT_UPSTREAM_PROXY: "http://u:p%24'@proxy.example:3128" },
  user: 'alice',
  enrollmentFile: '/home/a b/50% "x"/enrollment.json',
};

for (const user of [null, 'root']) {
  test(`systemd's own verifier accepts the unit ${user === null ? 'of a user' : 'of the system'}`, {
    skip: missingTool(['systemd']),
  }, () => {
    const folder = tempFolder('units');
    const file = path.join(folder, 'content-security-agent.service');
    writeFileSync(file, systemdUnit(ODD, user));
    const scope = user === null ? ['--user'] : [];
    const { status, stderr } = spawnSync('systemd-analyze', [...scope, 'verify', file], {
      encoding: 'utf8',
      env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder },
    });
    assert.doesNotMatch(stderr, /content-security-agent\.service:/);
    assert.equal(status, 0, stderr);
  });
}

test('it restarts after any exit, except on a computer that is not enrolled', () => {
  const unit = systemdUnit(ODD, null).split('\n');
  assert.ok(unit.includes('Restart=always'));
  assert.ok(unit.includes('ConditionPathExists=/home/a b/50%% "x"/enrollment.json'));
  assert.ok(unit.includes('WantedBy=default.target'));
});

test('a value cannot add a line or a specifier', () => {
  const env = { AGENT_EXTRA_HOSTS: 'a\nExecStartPre=/bin/false %h' };
  const unit = systemdUnit({ ...ODD, env }, 'alice');
  assert.ok(unit.includes(String.raw`Environment="AGENT_EXTRA_HOSTS=a\nExecStartPre=/bin/false %%h"`));
  assert.ok(unit.includes('\nUser=alice\n'));
});
