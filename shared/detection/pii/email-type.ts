import { emailAt, MAX_DOMAIN, MAX_LOCAL } from './email.ts';
import type { Recognizer, SensitiveRow } from './recognizer.ts';
import { isBracketedMark, SPELLED_REACH, spelledEmails } from './spelled-email.ts';

const BLANK = 32;

const WRITTEN: Recognizer = {
  starts: '@',
  find: (walk, at) => {
    const { text, codes } = walk;
    const span = emailAt(text, at, walk.floor, walk.ceiling);
    if (span !== undefined) return { span, next: span.end };
    walk.isSpelled ||= codes[at + 1] === BLANK;
    return undefined;
  },
  // a local part may be quoted
  reach: { sign: 'an odd word', before: MAX_LOCAL + 2, after: MAX_DOMAIN + 2, ends: 'at a distance' },
};

/** Lowercase codes that a bracketed mark begins with: at, dot, @, a dot, or a word of another language. */
const MARKS: ReadonlySet<number> = new Set([...'ad@.pcäтс'].map((sign) => sign.charCodeAt(0)));

const SPELLED: Recognizer = {
  starts: '[({<',
  find: (walk, at) => {
    if (walk.isSpelled) return undefined;
    const { text, codes } = walk;
    const inside = codes[at + 1] === BLANK ? codes[at + 2]! : codes[at + 1]!;
    if (MARKS.has(inside | 32) || MARKS.has(inside)) walk.isSpelled = isBracketedMark(text, at);
    return undefined;
  },
  finish: ({ text, isSpelled }) => (isSpelled ? spelledEmails(text) : []),
  reach: SPELLED_REACH,
};

export const EMAIL = {
  type: 'email',
  placeholder: '[EMAIL]',
  reason: 'Contains an email address.',
  recognizers: [WRITTEN, SPELLED],
} as const satisfies SensitiveRow;
