import { markingOf } from './marker-words.ts';

/** Names of text from elsewhere, nearly always. */
const SURE =
  '(?:contexts?|documents?|passages?|excerpts?|snippets?|chunks?|search results?|retrieved (?:text|data|results?|information)|transcripts?|tickets?|web ?pages?|articles?|knowledge base (?:entries|articles?|excerpts?|results?))';
/** Names that may be one, on a line of their own. */
const LIKELY = `(?:${SURE}|e-?mails?|letters?|websites?|attachments?|reviews?|quotes?|quotations?|file contents?|page contents?|resume|cv|abstract|posts?|threads?|knowledge base|comments?)`;
const BEFORE =
  '(?:the|an?|all|retrieved|relevant|reference|source|background|supporting|related|search|web|news|customer(?:.s)?|user(?:.s)?|uploaded|attached|external|untrusted|third.party|following|original|provided|given|supplied|incoming|received|forwarded|full|raw|pasted|fetched|scraped|top|matching|internal|company|product|support|help|kb|rag|document|page|e-?mail|file|text)';
const AFTER =
  '(?:information|texts?|contents?|body|data|documents?|excerpts?|passages?|chunks?|articles?|results?|snippets?|pages?|list)';
const COUNT = '(?:[#(\\[]{0,2}(?:no\\.? ?)?\\d{1,4}(?:(?: of |/)\\d{1,4})?[)\\]]?)';
const NOTE = '(?: \\([^()]{0,80}\\))?';

const phrase = (noun: string): string => `(?:${BEFORE} ){0,4}${noun}(?: ${AFTER}){0,2}(?: ?${COUNT})?${NOTE}`;
const SURE_LABEL = new RegExp(`^${phrase(SURE)}$`, 'i');
const LIKELY_LABEL = new RegExp(`^${phrase(LIKELY)}$`, 'i');
/** A sentence that announces a document after it. */
const ANNOUNCES = new RegExp(
  `\\b(?:here (?:is|are)|here.s|below (?:is|are)|following|attached|consider|given|this|these|summari[sz]e|translate|read|wrote|sent|received)\\b(?: [\\w'-]+){0,5} ${LIKELY}(?: ${AFTER}){0,2}(?: (?:below|to answer [^:]{0,60}))?\\s*:\\s*$|\\b${LIKELY}(?: ${AFTER}){0,2} (?:(?:is|are) (?:provided |given |shown )?)?(?:below|follows|attached|as follows)(?: to answer [^:]{0,60})?\\s*[:.]\\s*$`,
  'i',
);
const BEGIN = new RegExp(`^(?:begin|start)(?:ning|ing)?(?: of)? ${phrase(LIKELY)}$`, 'i');
const END = new RegExp(`^(?:end|stop)(?: of)? ${phrase(LIKELY)}$`, 'i');

/** Labels that a developer uses after a document; sections of a document have other names. */
const RESUMES =
  /^(?:(?:the|your|user|user.s|customer|customer.s|final|helpful|output|response|answer|important|additional|general) ){0,3}(?:instructions?|rules|guidelines|questions?|query|answers?|tasks?|outputs?|format|response|requirements|constraints|request|tone|style|role|user|assistant|human|ai)$/i;

const MAX_LABEL = 80;
const fits = (pattern: RegExp) => (label: string) => label.length <= MAX_LABEL && pattern.test(label);

export const isSureLabel = fits(SURE_LABEL);
export const isLikelyLabel = fits(LIKELY_LABEL);
export const beginsDocument = fits(BEGIN);
export const endsDocument = fits(END);
export const resumes = fits(RESUMES);

/** True if the end of a line announces a document. */
export function announcesDocument(line: string): boolean {
  return ANNOUNCES.test(line.slice(-240));
}

/** True for a short label or heading above the developer's own words. */
export function isOwnLabel(label: string): boolean {
  return label.length <= MAX_LABEL && label.split(' ').length <= 6 && markingOf(label) === 'own';
}
