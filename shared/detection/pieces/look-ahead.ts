import { COMMAND } from '../secrets/command-password.ts';
import { PASSWORD_WORD } from '../secrets/password.ts';

/**
 * How much text after a point can still make a detector find something that begins before it, as the release rule of
 * `createScan` uses it. UTF-16 units. Recognizers of personal data and secrets state theirs themselves (`pii/registry.ts`).
 */
export const LOOK_AHEAD = {
  /** Attacks: how long a text is changes what its sentences count. */
  attacks: Number.POSITIVE_INFINITY,
  /** The arguments of a tool call are a whole. */
  calls: Number.POSITIVE_INFINITY,
  /** Customers' patterns may be of any length. */
  custom: Number.POSITIVE_INFINITY,
  /** Instructions that are repeated: a finding of the whole response, which stops what is left of it. */
  repeatedPrompt: Number.POSITIVE_INFINITY,
  /** Addresses in tags and links. */
  markup: 1_300,
  /** Sentences of a response that disclose something. */
  sentences: 320,
  /** Values, once the word they stand in has ended: numbers in groups, addresses that are spelled out. */
  values: 320,
} as const;

/** The same if personal data blocks nothing: a key ends with its word, and what stands after it is a few characters. */
export const KEY_LOOK_AHEAD = 16;
/** After the first letters of a key that may be spelled. */
export const SPELLED_LOOK_AHEAD = 32;
/** What names a key stands at most this far before it. */
export const KEY_CONTEXT = 56;

/** After a word that names a password: whom it is for, and the password; after a command its options. */
export const PASSWORD_LOOK_AHEAD = 360;
/** The word, its last part where a blank stands in it, or the command. */
export const PASSWORD_WORD_END = new RegExp(`${PASSWORD_WORD.source}|passe\\b|${COMMAND}`, 'i');

/** A finding begins at most this far before the word or keyword that makes it possible. */
export const LOOK_BACK = 160;

/** What an address in markup may begin in. */
export const MARKUP = /[<>]|\]\(|url\(/i;

/** The same where only addresses are of interest that are loaded by themselves. */
export const TAG = /<[a-z!/?]|url\(/i;

/**
 * What continues to the end of the text once it began. Characters that are not shown carry one hidden text; what an
 * escape means depends on how many follow; a private key has many lines; rules for markup are tried in pieces that
 * begin at the tags before.
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

/** Numbers with a plus before them are validated this often in a text, in several readings each. */
export const MAX_PLUS = 30;

/**
 * Every match of a rule for responses contains one of these, after white space became blanks: the rules' own keywords
 * with the words that have to follow them.
 */
export const SENTENCE_KEYWORDS =
  /system (?:prompt|message|instruction)|(?:initial|hidden|secret) (?:prompt|instruction)|developer (?:message|instruction)|i (?:was|am|have been) (?:told|instructed|configured)|<form/g;
/** Longer than every keyword. */
export const MAX_KEYWORD = 32;
