const MAX_LABEL = 999;
const SPACE = /\s/;

interface Form {
  /** What stands before the character that opens the target. */
  readonly behind: RegExp;
  readonly opens: string;
  readonly closes: string;
}

/** Markdown and styles, BBCode, LaTeX. */
const FORMS: readonly Form[] = [
  { behind: /(?:\]|\burl)$/i, opens: '(', closes: ')' },
  { behind: /\[(?:url|img|link|email)$/i, opens: '=', closes: ']' },
  { behind: /\\(?:href|url|includegraphics(?:\[[^\]]{0,20}\])?)$/i, opens: '{', closes: '}' },
];
/** Characters that are kept to recognize a form; they are cut down to these when there are twice as many. */
const MAX_BEHIND = 40;

/** Reads the targets of links and images in Markdown and other languages, and definitions of references. */
export class LinkReader {
  readonly #definitions = new DefinitionReader();
  #form: Form | null = null;
  /** Open brackets of the target. */
  #depth = 0;
  #quote = '';
  #behind = '';
  #isEscaped = false;
  #isLineEmpty = false;

  get isInTarget(): boolean {
    return this.#form !== null || this.#definitions.isInTarget;
  }

  read(char: string): void {
    this.#definitions.read(char, this.#isEscaped);
    if (this.#form === null) this.#begin(char);
    else this.#continue(char, this.#form);
    this.#isLineEmpty = char === '\n' || (this.#isLineEmpty && SPACE.test(char));
    this.#isEscaped = char === '\\' && !this.#isEscaped;
    this.#behind += char;
    if (this.#behind.length > 2 * MAX_BEHIND) this.#behind = this.#behind.slice(-MAX_BEHIND);
  }

  #begin(char: string): void {
    if (char !== '(' && char !== '=' && char !== '{') return;
    this.#form = FORMS.find(({ opens, behind }) => opens === char && behind.test(this.#behind)) ?? null;
    this.#depth = 1;
    this.#quote = '';
    this.#isLineEmpty = false;
  }

  #continue(char: string, { opens, closes }: Form): void {
    // A blank line ends the paragraph, and so what is no target.
    if (char === '\n' && this.#isLineEmpty) this.#form = null;
    if (this.#isEscaped) return;
    if (this.#quote !== '') this.#quote = char === this.#quote ? '' : this.#quote;
    else if ((char === '"' || char === "'") && SPACE.test(this.#behind.slice(-1))) this.#quote = char;
    else if (char === opens) this.#depth++;
    else if (char === closes && --this.#depth === 0) this.#form = null;
  }
}

type DefinitionState = 'start' | 'label' | 'labelled' | 'empty' | 'defined' | 'text';

/** Definitions of references: `[label]: target`, whose target may stand in the next line. */
class DefinitionReader {
  #state: DefinitionState = 'start';
  #labelLength = 0;
  #isBelow = false;

  get isInTarget(): boolean {
    return this.#state === 'empty' || this.#state === 'defined' || this.#isBelow;
  }

  read(char: string, isEscaped: boolean): void {
    if (char === '\n') {
      this.#isBelow = this.#state === 'empty';
      this.#state = 'start';
    } else this.#state = this.#next(char, isEscaped);
  }

  #next(char: string, isEscaped: boolean): DefinitionState {
    switch (this.#state) {
      case 'start':
        this.#labelLength = 0;
        if (char === '[') return 'label';
        return /[\s>*+\-\d.)]/.test(char) ? 'start' : 'text';
      case 'label':
        return this.#inLabel(char, isEscaped);
      case 'labelled':
        if (char === ':') return 'empty';
        return char === ']' ? 'labelled' : 'text';
      case 'empty':
        return SPACE.test(char) ? 'empty' : 'defined';
      default:
        return this.#state;
    }
  }
  #inLabel(char: string, isEscaped: boolean): DefinitionState {
    if (char === ']' && !isEscaped) return 'labelled';
    this.#labelLength++;
    // A footnote has text.
    return this.#labelLength > MAX_LABEL || (char === '^' && this.#labelLength === 1) ? 'text' : 'label';
  }
}
