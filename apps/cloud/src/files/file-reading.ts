import type { FilePiece, FileText, FileTextPart, Unread } from './file-text.ts';

export interface ExtractedFile {
  readonly texts: readonly FileText[];
  readonly unread: readonly Unread[];
}

/** Maximum length of a text; shorter pages and entries are kept whole. */
const MAX_TEXT_CHARACTERS = 1_000_000;
/** Further texts are joined, because each costs an evaluation of its own. */
const MAX_SINGLE_TEXTS = 4_000;

/** Collects the pieces of one file. */
export class GatheredFile {
  /** Pieces read so far. */
  pieces = 0;
  /** Characters read so far. */
  characters = 0;
  readonly #visible = new JoinedTexts('visible');
  readonly #single: FileText[] = [];
  readonly #joined = new Map<FileTextPart, JoinedTexts>();
  readonly #seen = new Set<string>();
  readonly #unread = new Map<string, Unread>();
  #emptyPages = 0;

  add({ texts, unread, isEmptyPage }: FilePiece): void {
    this.pieces++;
    for (const one of texts) this.#addText(one);
    if (isEmptyPage === true) this.#emptyPages++;
    if (unread !== undefined) this.miss(unread);
  }

  miss(unread: Unread): void {
    this.#unread.set(`${unread.reason} ${unread.why}`, unread);
  }

  reading(): ExtractedFile {
    const unread = [...this.#unread.values()];
    if (this.#emptyPages > 0) {
      const why = `${this.#emptyPages} ${this.#emptyPages === 1 ? 'page contains' : 'pages contain'} no text`;
      // A page without text is a picture; a PDF of nothing else may be a scanned document.
      const mayHold = this.#visible.isEmpty ? 'text' : 'media';
      unread.push({ reason: 'no_text_extracted', why, mayHold });
    }
    const texts = [this.#visible, ...this.#joined.values()].flatMap((joined) => joined.all());
    return { texts: [...texts, ...this.#single], unread };
  }

  #addText({ part, text }: FileText): void {
    this.characters += text.length;
    if (part === 'visible') {
      this.#visible.add(text);
      return;
    }
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    if (this.#single.length < MAX_SINGLE_TEXTS && text.length <= MAX_TEXT_CHARACTERS) {
      this.#single.push({ part, text });
      return;
    }
    const joined = this.#joined.get(part) ?? new JoinedTexts(part);
    this.#joined.set(part, joined);
    joined.add(text);
  }
}

/** Texts joined by line breaks. */
class JoinedTexts {
  readonly #part: FileTextPart;
  readonly #done: string[] = [];
  #lines: string[] = [];
  #length = 0;

  constructor(part: FileTextPart) {
    this.#part = part;
  }

  add(text: string): void {
    for (let at = 0; at < text.length; at += MAX_TEXT_CHARACTERS) {
      const line = text.slice(at, at + MAX_TEXT_CHARACTERS);
      if (this.#length + line.length > MAX_TEXT_CHARACTERS) this.#close();
      this.#lines.push(line);
      this.#length += line.length + 1;
    }
  }

  get isEmpty(): boolean {
    return this.#done.length === 0 && this.#lines.every((line) => line.trim() === '');
  }

  all(): FileText[] {
    this.#close();
    return this.#done.map((text) => ({ part: this.#part, text }));
  }

  #close(): void {
    const text = this.#lines.join('\n').trim();
    if (text !== '') this.#done.push(text);
    this.#lines = [];
    this.#length = 0;
  }
}
