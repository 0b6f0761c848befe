import { COMMAND } from '../secrets/command-password.ts';
import { PASSWORD_WORD } from '../secrets/password.ts';

/**
 * How much text after a position can still cause a finding that begins before it; the release gate uses it.
 * UTF-16 units. Recognizers of personal data and secrets state their own (`pii/registry.ts`).
 */
export const LOOK_AHEAD = {
  /** Addresses in tags and links. */
  markup: 1_300,
  /** Sentences of a response that disclose something. */
  sentences: 320,
  /** Values, after the end of the word that contains them: numbers in groups, addresses that are spelled out. */
  values: 320,
} as const;

/** The same if no personal data is blocked: a key ends with its word, and only a few characters after it matter. */
export const KEY_LOOK_AHEAD = 16;
/** After the first letters of a key that may be spelled. */
export const SPELLED_LOOK_AHEAD = 32;
/** The name of a key is at most this far before it. */
export const KEY_CONTEXT = 56;

/** After a word for a password: its owner, and the password; after a command its options. */
export const PASSWORD_LOOK_AHEAD = 360;
/** The word, its last part if it contains a space, or the command. */
export const PASSWORD_WORD_END = new RegExp(`${PASSWORD_WORD.source}|passe\\b|${COMMAND}`, 'i');

/** A finding begins at most this far before the word or keyword that makes it possible. */
export const LOOK_BACK = 160;

/** The beginnings of an address in markup. */
export const MARKUP = /[<>]|\]\(|url\(/i;

/** The same if only addresses matter that are loaded automatically. */
export const TAG = /<[a-z!/?]|url\(/i;

/**
 * Beginnings of findings that may continue to the end of the text. Invisible characters carry one hidden text; the
 * meaning of an escape depends on the number of escapes after it; a private key has many lines; rules for markup run on
 * pieces that begin at the tags before.
 */
export const ENDLESS = new RegExp(
  [
    '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u202a-\\u202e]',
    '[\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\uffff\\udb40-\\udb43]',
    '-----BEGIN',
    '%[0-9a-f]|&(?:amp;)*(?:#|[a-z]{2,8};)|=(?:[2-7][0-9a-f]|\\?|[\\r\\n]|.*\\+)|\\?q\\?',
    '\\\\+(?:[ux0-7]|[2-7][0-9a-f])',
    '<(?:script|img|svg|iframe|body|input|video|audio|details|object|embed|math|form|a|div)\\b|!\\[',
    '\\beval\\s?\\(|javascript\\s?:|document\\.write|fromcharcode',
  ].join('|'),
  'i',
);

/** A text has at most this many numbers with a plus, because each is validated in several readings. */
export const MAX_PLUS = 30;

/**
 * Every match of a rule for responses contains one of these, after whitespace became spaces: the rules' keywords with
 * the words that must follow them.
 */
export const SENTENCE_KEYWORDS =
  /system (?:prompt|message|instruction)|(?:initial|hidden|secret) (?:prompt|instruction)|developer (?:message|instruction)|i (?:was|am|have been) (?:told|instructed|configured)|<form/g;
/** Longer than every keyword. */
export const MAX_KEYWORD = 32;
