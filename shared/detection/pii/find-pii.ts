import { CHAR_CLASS, DIGIT } from './char-class.ts';
import { emailAt, obfuscatedEmails } from './email.ts';
import { ipv6At } from './ip-address.ts';
import { type NumberBudget, readNumber } from './number.ts';
import type { PiiSpan } from './spans.ts';

/** The phone library costs some microseconds a number: a page of digits must not cost a second. */
const MAX_PHONE_VALIDATIONS = 200;
const AT = 64;
const COLON = 58;

/** Personal data in `text`, keys and secrets apart. One walk over the characters; spans come in order and apart. */
export function findPii(text: string): PiiSpan[] {
  const spans: PiiSpan[] = [];
  const budget: NumberBudget = { phoneValidations: MAX_PHONE_VALIDATIONS };
  let floor = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) continue;
    if ((CHAR_CLASS[code]! & DIGIT) !== 0) {
      const reading = readNumber(text, i, floor, budget);
      for (const span of reading.spans) spans.push(span);
      const colon = text.charCodeAt(reading.next) === COLON ? reading.next : -1;
      if (reading.spans.length > 0) floor = reading.next;
      i = Math.max(i, reading.next - 1);
      if (colon > 0 && reading.spans.length === 0) i = colon - 1;
    } else if (code === AT) {
      const email = emailAt(text, i, floor);
      if (email === undefined) continue;
      // a number read inside the local part belongs to the address
      while (spans.length > 0 && spans[spans.length - 1]!.end > email.start) spans.pop();
      spans.push(email);
      floor = email.end;
      i = email.end - 1;
    } else if (code === COLON) {
      const address = ipv6At(text, i, floor);
      if (address === undefined) continue;
      spans.push(address);
      floor = address.end;
      i = address.end - 1;
    }
  }
  const spelt = obfuscatedEmails(text);
  if (spelt.length === 0) return spans;
  return [...spans, ...spelt];
}
