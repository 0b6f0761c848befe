import type { TextSlot } from '@csg/shared/text';

/** The position of a text on a page. People see only `visible` texts; models read all of them. */
export type PageTextKind =
  | 'visible'
  | 'hidden'
  | 'comment'
  | 'attribute'
  | 'meta'
  | 'json-ld'
  | 'noscript'
  | 'template'
  | 'style'
  | 'script';

export interface PageText extends TextSlot {
  readonly kind: PageTextKind;
}

/** Further texts are joined by kind, because each text costs an evaluation. */
const MAX_TEXTS = 4_000;
const MIN_CHARACTERS = 8;

/** Collects distinct texts as slots of untrusted data. A slot's path is its kind and its number. */
export class PageTexts {
  readonly #texts: PageText[] = [];
  readonly #seen = new Set<string>();
  readonly #joined = new Map<PageTextKind, string[]>();
  readonly #counts = new Map<PageTextKind, number>();

  add(kind: PageTextKind, raw: string): void {
    const text = raw.trim();
    if (text.length < MIN_CHARACTERS || this.#seen.has(text)) return;
    this.#seen.add(text);
    if (this.#texts.length < MAX_TEXTS) {
      this.#texts.push(this.#slot(kind, text));
      return;
    }
    const joined = this.#joined.get(kind);
    if (joined === undefined) this.#joined.set(kind, [text]);
    else joined.push(text);
  }

  all(): readonly PageText[] {
    const joined = [...this.#joined].map(([kind, texts]) => this.#slot(kind, texts.join('\n')));
    return [...this.#texts, ...joined];
  }

  #slot(kind: PageTextKind, text: string): PageText {
    const number = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, number + 1);
    return { kind, path: `/${kind}/${number}`, role: 'document', text };
  }
}

/** Returns true if a value may be prose: some words, or text long enough to be encoded words. */
export function isProse(text: string): boolean {
  if (text.length < 12) return false;
  if (text.length > 200) return true;
  let blanks = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x2e7f) return true;
    if (unit <= 32 && ++blanks >= 2) return true;
  }
  return text.length >= 40;
}
