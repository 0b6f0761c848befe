import { originalRange } from '../normalize/normalize-text.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import { ruleFileRanges } from '../passages/rule-files.ts';
import { NOT_IN_RESPONSES } from '../reach.ts';
import type { Finding } from '../types.ts';
import type { Detector, DetectorRow } from './detector.ts';

interface Order {
  readonly rule: string;
  readonly type: Finding['type'];
  readonly reason: string;
  isIn(sentence: string): boolean;
}

const SECRET =
  /\.env\b(?!\.)|\bid_(?:rsa|ed25519)\b|\.ssh\b|\.aws\b|\.netrc\b|\b(?:the|your|any|all|every|my|their|its|these|those|user'?s?) (?:\w+ ){0,3}?(?:credentials?|secrets?|passwords?|(?:api|access|private|signing) ?(?:keys?|tokens?)|environment variables|env vars?)\b/i;
const SENT =
  /\bcurl\b|\bwget\b|\b(?:upload|post|send|transmit|exfiltrate|email|forward|leak|submit)\b.{0,120}(?:https?:\/\/|\bto\b|@|\bwebhook\b)|\b(?:include|append|paste|put|write|attach|print|echo)\b.{0,120}\bin(?:to)? (?:the|your|every|each|a) (?:\w+ ){0,2}(?:message|response|answer|reply|output|comment|log|pull request|url|commit)\b/i;
const READ = /\b(?:read|cat|open|print|display|copy|collect|dump|show|base64|include|attach)\b/i;
const SECRET_FILE =
  /\.ssh\/|\bid_(?:rsa|ed25519)\b|\.aws\/credentials|\.netrc\b|\/etc\/shadow|\bkeychain\b|\.gnupg\b|\bbrowser cookies\b/i;
const UNCONFIRMED =
  /\b(?:run|running|execute|executing|commands?|delete|deleting|push|deploy|install|overwrite|send|publish|merge|pay|transfer|tools?|everything|anything|any|all|every)\b.{0,120}\bwithout (?:ever )?(?:asking|(?:any |user |human )*(?:confirmation|approval|permission|consent)|confirming|prompting)\b|\b(?:never|do not|don't) (?:ask|wait|prompt)(?: the user| me| anyone)? (?:for|to) (?:\w+ ){0,3}?(?:confirm\w*|approv\w*|permission|consent)\b|\b(?:skip|bypass|disable|ignore) (?:all |any |the )*(?:\w+ )?(?:confirmations?|approvals?|permission (?:checks?|prompts?)|permissions|sandbox(?:ing)?)\b|--dangerously|--yolo\b|\bauto-?approve\b/i;
/** "Never overwrite it without confirmation". */
const ASKS_TO_CONFIRM = /\b(?:never|not|don't|avoid|no)\b.{0,200}\bwithout\b/i;
const HIDDEN =
  /\b(?:never|do not|don't|without) (?:ever )?(?:tell|telling|inform|informing|notify|notifying|alert|alerting|let|show|showing|mention|mentioning|reveal|revealing)\b.{0,60}\b(?:user|developer|human|owner|operator|reviewer)\b/i;
/** "Never commit secrets": the opposite instruction. */
const FORBIDS = /\b(?:never|not|don't|avoid|refuse|forbidden|prohibited|no)\b/i;

/** What a rule file for agents must not say; the rest is about the work. */
const ORDERS: readonly Order[] = [
  {
    rule: 'rule-file.sends-secrets',
    type: 'data_exfiltration',
    reason: 'A rule file for agents asks for secrets to be sent out.',
    isIn: (sentence) => SECRET.test(sentence) && SENT.test(sentence) && !FORBIDS.test(sentence),
  },
  {
    rule: 'rule-file.reads-secrets',
    type: 'data_exfiltration',
    reason: 'A rule file for agents asks for a file with secrets to be read.',
    isIn: (sentence) => SECRET_FILE.test(sentence) && READ.test(sentence) && !FORBIDS.test(sentence),
  },
  {
    rule: 'rule-file.bypasses-confirmation',
    type: 'indirect_prompt_injection',
    reason: 'A rule file for agents asks the agent to act without confirmation.',
    isIn: (sentence) => UNCONFIRMED.test(sentence) && !ASKS_TO_CONFIRM.test(sentence),
  },
  {
    rule: 'rule-file.hides-from-user',
    type: 'indirect_prompt_injection',
    reason: 'A rule file for agents asks the agent to hide something from the user.',
    isIn: (sentence) => HIDDEN.test(sentence),
  },
];

/** Longer sentences are read in pieces, so that the work stays linear. */
const SENTENCE = /[^\n]{1,400}?(?:[.!?](?=\s)|\n|$)|[^\n]{400}/g;

/** In rule files that a client put into a message: instructions about secrets, people and confirmation. */
const detectRuleFileInstructions: Detector = (view, findings) => {
  if (view.direction === 'output' || view.slot.role !== 'user') return;
  const { text } = view.cleaned;
  for (const range of ruleFileRanges(text)) {
    for (const { 0: sentence, index } of text.slice(range.start, range.end).matchAll(SENTENCE)) {
      for (const { rule, type, reason, isIn } of ORDERS) {
        if (!isIn(sentence)) continue;
        const start = view.base + range.start + index;
        const place = originalRange(view.cleaned, start, start + sentence.length);
        findings.push({ slot: view.index, ...place, type, rule, confidence: ATTACK.ruleFile, reason });
      }
    }
  }
};

export const RULE_FILES = {
  detect: detectRuleFileInstructions,
  reach: NOT_IN_RESPONSES,
} as const satisfies DetectorRow;
