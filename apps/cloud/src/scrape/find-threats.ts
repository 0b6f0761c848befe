import type { ThreatType } from '@csg/shared/contract';
import type { Finding } from '@csg/shared/detection';
import { findInPage, type PageFinding } from './page-rules.ts';
import type { PageTextKind } from './page-texts.ts';
import type { ExtractedPage } from './read-page.ts';

export interface PageSlot {
  readonly path: string;
  readonly role: 'document';
  readonly text: string;
}

/** Personal data and keys are content of a page, not a threat to its reader. */
const THREATS: readonly ThreatType[] = [
  'prompt_injection',
  'instruction_override',
  'jailbreak',
  'system_prompt_leak',
  'indirect_prompt_injection',
  'data_exfiltration',
  'malicious_script',
  'hidden_content',
  // Whatever the customer's own policies look for.
  'custom_policy',
];
/** Weight of a learned evaluation by kind of text: code, settings and labels have many short commands. */
const TRUST: Readonly<Record<PageTextKind, number>> = {
  visible: 0.9,
  hidden: 1,
  comment: 1,
  noscript: 1,
  template: 1,
  meta: 1,
  attribute: 0.85,
  'json-ld': 0.8,
  style: 0.8,
  script: 0.65,
};
/** Labels and messages for people (`copy the link and send it to a friend`) also look like instructions. */
const LABELS: ReadonlySet<PageTextKind> = new Set(['script', 'style', 'json-ld', 'attribute']);
const LABEL_TRUST = 0.3;
/** In these an instruction must mention something that a model has, or be in a script this list does not cover. */
const SPEAKS_TO_MODELS =
  /\b(?:instructions?|prompts?|assistants?|ai|llms?|models?|chatbots?|agents?|gpt|claude|gemini|system|context|conversation|secrets?|passwords?|credentials?|tokens?|api keys?|cookies)\b|https?:|[^\x00-\u024f\u2000-\u2bff]/i;
/** Stretched letters: "instructionssss". */
const STRETCHED = /([a-z])\1{2,}/gi;
/** Minimum confidence for decoded text: identifiers and numbers of pages often look like encoded words. */
const SURE_DECODED = 0.7;

/**
 * Returns the engine's findings in a page's texts and those of the page rules, as the policy expects them:
 * instructions are `indirect_prompt_injection`, plus `hidden_content` if people do not see them.
 */
export function findThreats(
  page: ExtractedPage,
  pageUrl: string,
  scanned: readonly Finding[],
): { readonly slots: readonly PageSlot[]; readonly findings: readonly Finding[] } {
  const slots: PageSlot[] = page.texts.map(({ path, text }) => ({ path, role: 'document', text }));
  const findings: Finding[] = [];
  for (const finding of scanned) {
    const text = page.texts[finding.slot];
    if (text === undefined || !THREATS.includes(finding.type)) continue;
    findings.push(...pageFindings(finding, text));
  }
  for (const found of findInPage(page, pageUrl)) findings.push(asFinding(found, slots));
  return { slots, findings };
}

/** Converts an engine finding for this kind of text: to none, one, or two if people do not see the text. */
function pageFindings(finding: Finding, { kind, text }: ExtractedPage['texts'][number]): Finding[] {
  const isLearned = finding.rule.startsWith('model.');
  if (finding.rule.startsWith('model.decoded-') && finding.confidence < SURE_DECODED) return [];
  const around = text.slice(Math.max(0, finding.start - 100), finding.end + 100);
  const speaks = SPEAKS_TO_MODELS.test(around.replace(STRETCHED, '$1'));
  const trust = LABELS.has(kind) && !speaks ? LABEL_TRUST : TRUST[kind];
  const confidence = isLearned ? finding.confidence * trust : finding.confidence;
  const type = isInstruction(finding.type) ? 'indirect_prompt_injection' : finding.type;
  const counted = { ...finding, type, confidence };
  if (kind === 'visible' || type !== 'indirect_prompt_injection') return [counted];
  return [
    counted,
    {
      ...finding,
      type: 'hidden_content',
      rule: `hidden.${kind}`,
      confidence,
      reason: 'Contains instructions that are hidden from people.',
    },
  ];
}

function isInstruction(type: ThreatType): boolean {
  return type !== 'data_exfiltration' && type !== 'malicious_script' && type !== 'hidden_content';
}

function asFinding({ path, ...found }: PageFinding, slots: PageSlot[]): Finding {
  let slot = slots.findIndex((one) => one.path === path);
  if (slot === -1) slot = slots.push({ path, role: 'document', text: '' }) - 1;
  return { ...found, slot, start: 0, end: 0 };
}
