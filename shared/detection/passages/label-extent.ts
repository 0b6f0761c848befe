import { endsDocument, isLikelyLabel, isSureLabel, resumes } from './label-words.ts';
import {
  closesBlock,
  endsWithColon,
  headingLevel,
  isDecorated,
  labelBeforeColon,
  labelOf,
} from './line-shapes.ts';
import { findLine } from './lines.ts';

const BRACKET_CLOSED = /^\s*\[\/[^\]]{1,60}\]\s*$/;
/** The beginning of a developer's text after a document. */
const SPEAKS_AGAIN =
  /^(?:answer|respond|reply|use|using|based on|given|if (?:you|the (?:user|question|answer|context|document|information))|you (?:are|should|will|can|may|have)|your|only|keep|cite|be |always|never|when |summari[sz]e|write|return|output|now|please (?:answer|summari[sz]e|respond)|(?:do not|don.t) (?:use|make|answer|add|invent)|question|remember|think|let.s|provide)\b/i;

/** `END OF DOCUMENT`, `[/DOCUMENT]`. */
export function endsHere(line: string): boolean {
  const label = labelOf(line);
  return endsDocument(label) || (BRACKET_CLOSED.test(line) && isLikelyLabel(label));
}

/**
 * Returns the end of the document that a label introduces: before a mark that ends it, before the developer's next
 * label, before the next heading of the same or a higher level if a heading of `level` introduced it (0: none did),
 * before `nextTag` at the start of a paragraph, or before a paragraph that addresses the model. If the document itself
 * contains such a line, the text after it is treated as the developer's.
 */
export function extentFrom(text: string, from: number, level: number, nextTag: number): number {
  let startsParagraph = false;
  const end = findLine(text, from, (line, at) => {
    const trimmed = line.trim();
    if (trimmed === '') {
      startsParagraph = true;
      return false;
    }
    const heading = headingLevel(line);
    if (level > 0 && heading > 0 && heading <= level) return !isSureLabel(labelOf(line));
    if (endsBlock(line)) return true;
    if (startsParagraph && (SPEAKS_AGAIN.test(trimmed) || trimmed.endsWith('?'))) return true;
    if (startsParagraph && nextTag >= at && nextTag <= at + line.length) return true;
    startsParagraph = false;
    return false;
  });
  return end ?? text.length;
}

/** True for a mark that ends a document, or the developer's next label. */
function endsBlock(line: string): boolean {
  if (closesBlock(line) || endsHere(line) || resumes(labelBeforeColon(line))) return true;
  return (isDecorated(line) || endsWithColon(line)) && resumes(labelOf(line));
}
