import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ControlClient } from '../agent/control/control-client.ts';
import type { Finding } from '../agent/control/control-messages.ts';
import {
  BRIDGE_CALLS,
  type BridgeCall,
  type BridgeParams,
  type BridgeReply,
  type BridgeResults,
  type WindowState,
} from '../bridge/window-bridge.ts';
import { type AgentCommands, lastLine } from './agent-commands.ts';
import type { AgentLink } from './agent-link.ts';

export interface WindowCallDeps {
  readonly link: AgentLink;
  readonly commands: AgentCommands;
  readonly state: () => WindowState;
  /** Rejects with a message for the user. */
  readonly trustCertificate: () => Promise<void>;
  /** Asks the user for a file; null if canceled. */
  readonly chooseFile: (name: string) => Promise<string | null>;
  readonly setOpenAtLogin: (on: boolean) => void;
  readonly installUpdate: () => void;
}

type Handlers = {
  readonly [Call in BridgeCall]: (params: BridgeParams[Call]) => Promise<BridgeResults[Call]>;
};

/** Handles the calls of the window. Never rejects; errors are returned as a message. */
export function createWindowCalls(
  deps: WindowCallDeps,
): (call: unknown, params: unknown) => Promise<BridgeReply> {
  const handlers = handlersOf(deps);
  return async (call, params) => {
    try {
      if (!(BRIDGE_CALLS as readonly unknown[]).includes(call)) throw new Error('Unknown call.');
      return { ok: true, value: await handlers[call as BridgeCall](params as never) };
    } catch (error) {
      return { ok: false, message: (error as Error).message };
    }
  };
}

function handlersOf({ link, commands, ...deps }: WindowCallDeps): Handlers {
  const agent = (): ControlClient => {
    const control = link.control();
    if (control === null) throw new Error('The agent is not running. See Diagnostics.');
    return control;
  };
  return {
    state: async () => deps.state(),
    recent: async () => (await link.control()?.call('recent')) ?? [],
    sight: async () => (await link.control()?.call('sight')) ?? null,
    requests: () => agent().call('requests'),
    'request-exception': (params) => agent().call('request-exception', params),
    'request-tool': (params) => agent().call('request-tool', params),
    'cancel-request': (params) => agent().call('cancel-request', params),
    async 'try-again'() {
      await link.control()?.call('try-again');
      link.retryNow();
      return null;
    },
    async enroll({ server, token, name }) {
      await withPrivateFile({ server, token, ...(name !== '' && { name }) }, (file) =>
        commands.json('enroll', '--managed', file),
      );
      deps.setOpenAtLogin(true);
      link.retryNow();
      return null;
    },
    async 'trust-certificate'() {
      await deps.trustCertificate();
      await link.control()?.call('try-again');
      return null;
    },
    async unenroll() {
      const { code, stdout, stderr } = await link.withoutAgent(() => commands.run('unenroll'));
      link.retryNow();
      if (code === null) throw new Error(lastLine(stderr) || 'The removal was interrupted.');
      return { done: linesOf(stdout), left: linesOf(stderr) };
    },
    diagnose: async () => (await commands.json<{ findings: Finding[] }>('doctor')).findings,
    async 'save-diagnostics'() {
      const file = await deps.chooseFile('content-security-agent-diagnostics.json');
      if (file === null) return null;
      const { code, stderr } = await commands.run('diagnostics', '--out', file);
      if (code !== 0) throw new Error(lastLine(stderr));
      return file;
    },
    async 'open-at-login'({ on }) {
      deps.setOpenAtLogin(on === true);
      return null;
    },
    async 'install-update'() {
      deps.installUpdate();
      return null;
    },
  };
}

/** Passes a token in a private file, because every program can read command lines. */
async function withPrivateFile<T>(content: object, work: (file: string) => Promise<T>): Promise<T> {
  const file = path.join(tmpdir(), `csg-enroll-${randomUUID()}.json`);
  writeFileSync(file, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
  try {
    return await work(file);
  } finally {
    rmSync(file, { force: true });
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
