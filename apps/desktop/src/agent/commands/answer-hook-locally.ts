import type { DeviceConfig } from '@csg/shared/contract';
import { type Hook, type HookReply, readHook, readLeafTexts } from '@csg/shared/providers';
import { compilePolicy } from '../../inspect/compile-policy.ts';
import { decideTexts } from '../../inspect/decide-texts.ts';
import { policyOfConfig } from '../protection/policy-of-config.ts';

/**
 * Answers a hook as the service would, with the engine on this computer. Tool lists and reviews exist only at the
 * service.
 */
export function answerHookLocally(
  config: DeviceConfig,
  body: Readonly<Record<string, unknown>>,
  nowMs: number,
): HookReply {
  const hook = readHook(body);
  if (hook === null || config.mode === 'monitor') return {};
  const { kind, content, deny } = hook;
  const compiled = compilePolicy(policyOfConfig(config, NOWHERE));
  const conversation = readLeafTexts(content, ROLES[kind]);
  const direction = kind === 'call' ? 'output' : 'input';
  const { verdict } = decideTexts(compiled, conversation, direction, '', nowMs);
  // Nothing can be masked here: a prompt with personal data is sent back.
  const isDenied = verdict.decision === 'block' || (verdict.decision === 'redact' && kind === 'prompt');
  if (!isDenied) return {};
  const details = [...new Set(verdict.threats.map((threat) => threat.details))];
  return deny(['Blocked on this computer by the content security policy.', ...details].join(' '));
}

/** A hook goes to no host, and no page is shown for it. */
const NOWHERE = { server: '', extraHosts: [] };

const ROLES: Readonly<Record<Hook['kind'], 'tool_call' | 'user' | 'tool_result'>> = {
  call: 'tool_call',
  prompt: 'user',
  result: 'tool_result',
};
