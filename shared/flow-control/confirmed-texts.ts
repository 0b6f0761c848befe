import type { Conversation } from '../text/index.ts';

const CONFIRMS =
  /^(?:yes|yep|yeah|y|ok|okay|sure|correct|right|confirmed?|approved?|go ahead|do it|do so|please do|send it|pay it|proceed|perfect|great|fine|looks good|sounds good|exactly|agreed|ja|jawohl|genau|passt|oui|d.accord|s[ií]|claro|vale|da|да|ok[eé]|va bene|certo|sim|tak|はい|是|好|네)(?=$|[\s,.!:;])/iu;
const REFUSES = /\b(?:no|not|don.t|never|but|instead|wait|stop|except|nicht|nein|pas|non)\b/i;
const MAX_CONFIRMATION = 200;

/** Returns the assistant's texts that a user confirmed with a short message. */
export function confirmedTexts({ messages }: Conversation): string[] {
  const confirmed: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.origin !== 'user' || message.position.index === null) continue;
    const words = message.slots.find(({ role }) => role === 'user')?.text.trim() ?? '';
    if (words.length > MAX_CONFIRMATION || !CONFIRMS.test(words) || REFUSES.test(words)) continue;
    const before = messages[index - 1];
    if (before?.origin !== 'model') continue;
    confirmed.push(...before.slots.filter(({ role }) => role === 'assistant').map(({ text }) => text));
  }
  return confirmed;
}
