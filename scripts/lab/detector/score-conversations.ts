import { effectiveSettings } from '../../../shared/contract/index.ts';
import { decideFindings } from '../../../shared/decision/index.ts';
import {
  attributeFindings,
  compileRuleset,
  type Preset,
  scan,
  Workspace,
} from '../../../shared/detection/index.ts';
import { formatByName, readCodeResults } from '../../../shared/providers/index.ts';
import { applyReplacements, done, finish } from '../../../shared/text/index.ts';

export interface ScoredConversation {
  readonly isRejected: boolean;
  /** All texts as forwarded; empty if the conversation is rejected. */
  readonly forwarded: readonly string[];
  /** Texts that replace masked or withheld ones. */
  readonly replacements: readonly string[];
}

/** Evaluates a whole conversation as the proxy does: `messages` and `tools` in the format of chat completions. */
export function createConversationScorer(
  preset: Preset,
): (messages: readonly object[], tools?: readonly object[]) => ScoredConversation {
  const ruleset = compileRuleset({ ...preset, policies: [] });
  const { untrusted_data: untrustedData } = effectiveSettings(
    {},
    { strictness_level: preset.strictness, fail_mode: 'open' },
  );
  const workspace = new Workspace();
  return (messages, tools) => {
    const body = { model: 'model', messages, ...(tools && { tools }) };
    const conversation = formatByName('openai-chat').readRequest(body);
    const { slots } = conversation;
    const isCode = finish(readCodeResults(body));
    const found = attributeFindings(scan(slots, ruleset, 'input', { workspace }), conversation, {
      direction: 'input',
      reportsToolCalls: true,
      isCode: ({ path }) => done(isCode(path)),
    });
    const { decision, replacements } = decideFindings(found, ruleset, 'input', untrustedData);
    if (decision === 'block') return { isRejected: true, forwarded: [], replacements: [] };
    return {
      isRejected: false,
      forwarded: slots.map(({ text }, index) => applyReplacements(text, replacements.get(index) ?? [])),
      replacements: [...replacements.values()].flat().map(({ text }) => text),
    };
  };
}
