const MAX_NAME = 64;
/** Elements whose content is code, or is sent by a form. */
const RAW_ELEMENTS: ReadonlySet<string> = new Set(['script', 'style', 'textarea']);
const NAME = /[\w:!?/-]/;
const SPACE = /\s/;

type State = 'text' | 'opening' | 'name' | 'tag' | 'value' | 'quoted' | 'comment';

/** Reads tags with the quotes of their attributes, and elements whose content is not shown as text. */
export class MarkupReader {
  #state: State = 'text';
  #quote = '';
  #name = '';
  /** The element whose content is read; empty: none. */
  #raw = '';

  get isOpen(): boolean {
    return (this.#state !== 'text' && this.#state !== 'opening') || this.#raw !== '';
  }

  read(char: string): void {
    this.#state = this.#next(char);
  }

  #next(char: string): State {
    switch (this.#state) {
      case 'text':
        return char === '<' ? 'opening' : 'text';
      case 'opening':
        return this.#open(char);
      case 'name':
        return this.#readName(char);
      case 'comment':
        this.#name = (this.#name + char).slice(-3);
        return this.#name === '-->' ? 'text' : 'comment';
      case 'tag':
        return this.#inTag(char);
      case 'value':
        return this.#beginValue(char);
      case 'quoted':
        return char === this.#quote ? 'tag' : 'quoted';
    }
  }

  #open(char: string): State {
    this.#name = char.toLowerCase();
    if (/[a-z/!?]/i.test(char)) return 'name';
    return char === '<' ? 'opening' : 'text';
  }

  #readName(char: string): State {
    if (!NAME.test(char) || this.#name.length >= MAX_NAME) return this.#inTag(char);
    this.#name += char.toLowerCase();
    return this.#name === '!--' ? 'comment' : 'name';
  }

  #inTag(char: string): State {
    if (char === '>') return this.#close();
    return char === '=' ? 'value' : 'tag';
  }

  #beginValue(char: string): State {
    if (char === '>') return this.#close();
    if (char !== '"' && char !== "'") return SPACE.test(char) ? 'value' : 'tag';
    this.#quote = char;
    return 'quoted';
  }

  #close(): State {
    const name = this.#name.replace(/\/$/, '');
    if (this.#raw === '') this.#raw = RAW_ELEMENTS.has(name) ? name : '';
    else if (name === `/${this.#raw}`) this.#raw = '';
    return 'text';
  }
}
