import { decideFindings } from '@csg/shared/decision';
import {
  attackScore,
  attributeFindings,
  compileRuleset,
  conversationContext,
  markedPassages,
  piecesBefore,
  type Ruleset,
  ruleFileRanges,
  scan,
  taskIndexes,
  Workspace,
} from '@csg/shared/detection';
import type { Direction } from '../../../shared/contract/index.ts';
import { OPT_IN_PII_TYPES, PII_TYPES } from '../../../shared/contract/index.ts';
import { normalizeText } from '../../../shared/detection/normalize/normalize-text.ts';
import { done, type SlotRole, type TextSlot } from '../../../shared/text/index.ts';
import { attackTexts } from './attack-texts.ts';
import type { Readings } from './compare-readings.ts';
import { conversations } from './conversations.ts';
import { valueTexts } from './value-texts.ts';
import { writeFindings, writeVerdict } from './write-readings.ts';

/** Reports findings of low confidence, too. */
const PLAIN: Ruleset = compileRuleset({
  useCase: 'support_bot',
  strictness: 'strict',
  leastConfidence: 0.02,
  policies: [],
});

/** Looks for every type, which takes longer. */
const WIDE: Ruleset = compileRuleset({
  useCase: 'default',
  strictness: 'strict',
  leastConfidence: 0.02,
  policies: [
    {
      id: 'all',
      action: 'redact',
      threatTypes: ['pii_leak'],
      rules: { conditions: { pii_types: [...PII_TYPES, ...OPT_IN_PII_TYPES] } },
    },
  ],
});

const workspace = new Workspace();

function read(text: string, role: SlotRole, direction: Direction, ruleset = PLAIN): string {
  const slot: TextSlot = { path: '/messages/0/content', role, text };
  return writeFindings(scan([slot], ruleset, direction, { workspace }));
}

/** The findings of personal data and secrets. */
export function* readValues(): Readings {
  for (const { name, text, isOptIn } of valueTexts()) {
    // metadata contains no instructions
    yield { name, text, reading: read(text, 'metadata', 'input', isOptIn ? WIDE : PLAIN) };
  }
}

/** Findings of attacks in a user's text, in data, in a developer's text and in a response. */
export function* readAttackTexts(): Readings {
  for (const { name, text } of attackTexts()) {
    const score = (role: SlotRole) => attackScore({ path: '', role, text }, [], null, workspace).toFixed(1);
    const user = read(text, 'user', 'input');
    const others = (
      [
        ['data', 'tool_result', 'input'],
        ['tool', 'tool_definition', 'input'],
        ['response', 'assistant', 'output'],
      ] as const
    ).flatMap(([label, role, direction]) => {
      const words = read(text, role, direction);
      return words === '' ? [] : [`${label}: ${words === user ? 'the same' : words}`];
    });
    const { text: cleaned, hidden, smuggled, turned } = normalizeText(text, workspace);
    const parts = [
      `${score('user')} ${score('document')}`,
      ...(user === '' ? [] : [user]),
      ...others,
      ...(cleaned === text ? [] : [`cleaned to ${cleaned.length}, ${hidden} hidden`]),
      ...(smuggled === '' ? [] : [`smuggles ${smuggled.length}`]),
      ...(turned.length === 0 ? [] : [`turned ${turned.join(' ')}`]),
      ...markedPassages(text).map(({ start, end }) => `passage ${start}-${end}`),
      ...ruleFileRanges(text).map(({ start, end, isEnclosed }) => `rules ${start}-${end} ${isEnclosed}`),
    ];
    yield { name, text, reading: parts.join(' || ') };
  }
}

/** Findings of conversations, the author of each attack, withheld ranges, and the context of a new text. */
export function* readConversations(): Readings {
  for (const [at, { name, conversation, direction }] of conversations().entries()) {
    const { slots } = conversation;
    const found = scan(slots, PLAIN, direction, { workspace });
    const attributed = attributeFindings(found, conversation, {
      direction,
      reportsToolCalls: at % 2 === 0,
      isCode: ({ text }) => done(text.startsWith('const')),
    });
    const context = conversationContext(slots, (index) => index === slots.length - 1);
    const pieces = piecesBefore(slots)
      .map((list) => list.join(' '))
      .join('/');
    const tasks = taskIndexes(slots, direction).join(' ');
    const last = slots.at(-1)!;
    const untrustedData = (['block', 'withhold', 'monitor'] as const)[at % 3]!;
    const parts = [
      ...(attributed.length === 0 ? [] : [writeFindings(attributed)]),
      ...(attributed.length === 0
        ? []
        : [writeVerdict(decideFindings(attributed, MODERATE, direction, untrustedData))]),
      ...(context.length === 0 || slots.length < 4 ? [] : [`beside ${context.join(' ')}`]),
      ...(/\d/.test(pieces) ? [`pieces ${pieces}`] : []),
      ...(slots.length > 2 && /\d/.test(tasks.replaceAll('-1', '')) ? [`tasks ${tasks}`] : []),
      ...(last.role === 'system' || last.role === 'tool_definition'
        ? [attackScore(last, found, null, workspace).toFixed(1)]
        : []),
    ];
    yield {
      name,
      text: JSON.stringify(slots.map(({ role, text }) => [role, text])),
      reading: parts.join(' || '),
    };
  }
}

const MODERATE = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
