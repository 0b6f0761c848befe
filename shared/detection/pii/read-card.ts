import { VALUE } from '../operating-points/values.ts';
import { isAlnum } from './char-class.ts';
import { before, CARD_BEFORE, THING_BEFORE } from './context.ts';
import { cardEnd } from './credit-card.ts';
import type { DigitGroups } from './digit-groups.ts';
import { formEnd } from './number-forms.ts';
import type { PiiSpan } from './spans.ts';

/** The country code and check digits at the beginning of an IBAN. */
const IBAN_BEFORE = /\b[a-z]{2}\d{2} ?(?:[\da-z]{4} ?){0,6}$/;
const COLON = 58;

/** Returns the card number that begins with group `first`. `lead`: the text before it. */
export function readCard(
  text: string,
  groups: DigitGroups,
  first: number,
  lead: string,
): PiiSpan | undefined {
  for (
    let last = cardEnd(groups, first, first, 'context');
    last >= 0;
    last = cardEnd(groups, first, last + 1, 'context')
  ) {
    const end = groups.end[last]!;
    if (isAlnum(text, end)) continue;
    const start = groups.start[first]!;
    if (IBAN_BEFORE.test(before(text, start))) return undefined;
    const named = CARD_BEFORE.test(lead);
    if (!named && !isSure(groups, first, last, lead)) continue;
    const confidence = named ? VALUE.cardNamed : last > first ? VALUE.cardInGroups : VALUE.cardJoined;
    return { start, end, type: 'credit_card', rule: 'pii.credit-card', confidence };
  }
  return undefined;
}

/** True if it is a card even without a word for cards before it. */
function isSure(groups: DigitGroups, first: number, last: number, lead: string): boolean {
  if (cardEnd(groups, first, last, 'yes') !== last || THING_BEFORE.test(lead)) return false;
  return last === first || !isLonger(groups, last);
}

/** True if four more digits follow after the same separator, and nothing indicates that they are another value. */
function isLonger(groups: DigitGroups, last: number): boolean {
  const gap = groups.gap(last);
  if (groups.gap(last + 1) !== gap || groups.size(last + 1) !== 4) return false;
  if (groups.text.charCodeAt(groups.end[last + 1]!) === COLON) return false;
  const behind = groups.gap(last + 2);
  return (behind === '' || behind === gap) && formEnd(groups, last + 1) === -1;
}
