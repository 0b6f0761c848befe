import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAgentParts } from '../../../../apps/desktop/src/agent/host/open-agent.ts';
import { withService } from '../../../../apps/desktop/src/agent/service/device-service.ts';
import { AgentError, readSettings } from '../../../../apps/desktop/src/agent/settings/read-settings.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a command on a computer that is not enrolled says how to enroll it', async () => {
  const home = tempFolder('device-service');
  const env = { HOME: home, AGENT_STATE_DIR: `${home}/state`, AGENT_VAULT: 'file' };
  const parts = await openAgentParts(readSettings(env), env);
  await assert.rejects(
    withService(parts, () => assert.fail('there is no service to call')),
    (error: Error) => error instanceof AgentError && /not enrolled. Run "agent enroll /.test(error.message),
  );
});
