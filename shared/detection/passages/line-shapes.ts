/** Shapes of single lines that indicate what follows. */

const OPENS_FENCE = /^[ \t]{0,12}(`{3,16}|~{3,16})([^`\n]*)$/;
const RULE = /^[ \t]{0,3}([-=*_#~+])\1{2,}[ \t]*$/;
const QUOTED = /^[ \t]{0,3}>/;
const TRIPLE_QUOTE = /"""|'''/;
const WHOLLY_QUOTED = /^[ \t]*(?:"[^"]{60,}"|\u201c[^\u201d]{60,}\u201d)[ \t]*$/;
const HEADING = /^ {0,3}(#{1,6})\s/;
/** A heading, a bold or bracketed line, one between dashes. */
const DECORATED = /^\s*(?:\\?#{1,6}|\*\*|__|\[|<<|={2,}|-{2,}|\*{3,})/;
const BRACKETED = /^\s*\[[^\]/]{1,60}\]\s*$/;
const CLOSES = /^\s*(?:\[\/|<\/|>>)/;
const EXAMPLE = /\b(?:examples?|e\.g|for instance|such as|attacks?|injections?|samples?|templates?)\b/i;
const SHOWS =
  /\b(?:like (?:this|these|so)|formats?|structure|schema|syntax|usage|patterns?|refuse|reject|detect|suspicious|malicious|phrases?|never|avoid|do not|don.t|wrong|bad|good|correct|incorrect)\b/i;

export interface Fence {
  readonly mark: string;
  /** The text after the mark, such as the name of a language. */
  readonly info: string;
}

export function fenceIn(line: string): Fence | undefined {
  const found = OPENS_FENCE.exec(line);
  return found === null ? undefined : { mark: found[1]!, info: found[2]!.trim() };
}

export function closesFence(line: string, { mark }: Fence): boolean {
  const fence = fenceIn(line);
  return fence !== undefined && fence.info === '' && fence.mark.startsWith(mark);
}

export const isRule = (line: string): boolean => RULE.test(line);
export const isQuoted = (line: string): boolean => QUOTED.test(line);
export const isWhollyQuoted = (line: string): boolean => WHOLLY_QUOTED.test(line);
export const isBracketed = (line: string): boolean => BRACKETED.test(line);
export const closesBlock = (line: string): boolean => CLOSES.test(line);
export const isDecorated = (line: string): boolean => DECORATED.test(line);
export const endsWithColon = (line: string): boolean => line.trimEnd().endsWith(':');
/** True if the line announces an example. */
export const saysExample = (line: string): boolean => EXAMPLE.test(line);
/** True if the line announces a demonstration: the format of a response, or texts to watch for. */
export const saysShown = (line: string): boolean => SHOWS.test(line);

/** Returns three quotation marks and their offset. */
export function tripleQuoteIn(line: string): { readonly mark: string; readonly at: number } | undefined {
  const found = TRIPLE_QUOTE.exec(line);
  return found === null ? undefined : { mark: found[0], at: found.index };
}

/** Returns the level of a heading, 1 to 6; 0 for other lines. */
export function headingLevel(line: string): number {
  return HEADING.exec(line)?.[1]?.length ?? 0;
}

/** Returns the words of a line without its decoration. */
export function labelOf(line: string): string {
  const head = line.slice(0, 160);
  const start = head.search(WORD);
  if (start < 0) return '';
  let end = head.length;
  while (end > start && endsLabel(head.charCodeAt(end - 1))) end--;
  const label = head.slice(start, end);
  return WIDE_SPACE.test(label) ? label.replace(WIDE_SPACES, ' ') : label;
}

const WORD = /[^\W_]/;
const WIDE_SPACE = /\s{2}|[^\S ]/;
const WIDE_SPACES = /\s{2,}|[^\S ]/g;

/** 1 for the ASCII characters that may follow a label. */
const AFTER_LABEL = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[:*_=\-#>\]~\s]/.test(String.fromCharCode(code))),
);

function endsLabel(code: number): boolean {
  return code < 128 ? AFTER_LABEL[code] === 1 : /\s/.test(String.fromCharCode(code));
}

/** Returns the label before a colon at the beginning of a line; empty if there is none. */
export function labelBeforeColon(line: string): string {
  const colon = line.slice(0, 90).indexOf(':');
  return colon > 0 ? labelOf(line.slice(0, colon)) : '';
}
