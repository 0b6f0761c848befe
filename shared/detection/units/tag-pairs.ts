import type { Span } from '../../text/index.ts';

/** `<INFORMATION>`, `[SYS]`, `<<SYS>>`, `{{admin}}`, `=== NOTE ===`: marks that a format does not have, but an order does. */
const MARK =
  /(<<|<|\[\[|\[|\{\{|[-=#*]{3,} ?)(\/|end (?:of )?)?((?:[A-Z][A-Z_ -]{2,40})|(?:important|information|system|sys|inst|admin|instructions?|developer|override)[\w -]{0,30})\]?(>>|>|\]\]|\]|\}\}| ?[-=#*]{3,})/gi;
const NAMED_LOUDLY =
  /^(?:[A-Z][A-Z_ -]{2,40}|(?:important|information|system|sys|inst|admin|instructions?|developer|override)[\w -]{0,30})$/;

/** Returns the passages from an opening mark to its closing one, marks included. */
export function tagPairs(text: string): Span[] {
  const pairs: Span[] = [];
  const open = new Map<string, number>();
  for (const match of text.matchAll(MARK)) {
    const name = match[3]!.trim();
    if (!NAMED_LOUDLY.test(name)) continue;
    const key = name.toLowerCase();
    if (match[2] === undefined) open.set(key, open.get(key) ?? match.index);
    else {
      const start = open.get(key);
      open.delete(key);
      if (start !== undefined) pairs.push({ start, end: match.index + match[0].length });
    }
  }
  return pairs;
}
