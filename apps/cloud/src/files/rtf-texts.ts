import type { FileText } from './file-text.ts';
import { decodeAs } from './read-plain.ts';

/** A token of rtf-stream-parser: start and end of a group, control word or symbol, text. */
export interface RtfToken {
  readonly type: 0 | 1 | 2 | 3;
  readonly word?: string;
  readonly param?: number;
  readonly data?: Buffer;
}

/** Control words that are shown as characters. */
const SHOWN = new Map(
  Object.entries({
    par: '\n',
    line: '\n',
    sect: '\n',
    page: '\n',
    column: '\n',
    row: '\n',
    nestrow: '\n',
    '\n': '\n',
    '\r': '\n',
    tab: '\t',
    cell: '\t',
    nestcell: '\t',
    '~': ' ',
    _: '-',
    '{': '{',
    '}': '}',
    '\\': '\\',
    emdash: '\u2014',
    endash: '\u2013',
    bullet: '\u2022',
    lquote: '\u2018',
    rquote: '\u2019',
    ldblquote: '\u201c',
    rdblquote: '\u201d',
    emspace: ' ',
    enspace: ' ',
    qmspace: ' ',
  }),
);

/** Groups whose text is data in hexadecimal digits. */
const PICTURES = new Set(['pict']);
const OBJECTS = new Set([
  'objdata',
  'datastore',
  'themedata',
  'colorschememapping',
  'passwordhash',
  'fontfile',
]);
/** Groups that are no part of the text. Their text is read all the same. */
const ASIDE = new Set(
  'fonttbl colortbl stylesheet info listtable revtbl rsidtbl generator listtext pntext'.split(' '),
);

/** Character sets of fonts (`fcharset`) and code pages (`ansicpg`, `cpg`), by the names of the Encoding Standard. */
const FONT_CHARSETS: Readonly<Record<number, number>> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};
const CODE_PAGES: Readonly<Record<number, string>> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  20866: 'koi8-r',
  20932: 'euc-jp',
  28591: 'iso-8859-1',
  28592: 'iso-8859-2',
  28595: 'iso-8859-5',
  28597: 'iso-8859-7',
  54936: 'gb18030',
  65001: 'utf-8',
};
const DEFAULT_CODE_PAGE = 1252;

interface Group {
  readonly destination: string;
  readonly isAside: boolean;
  /** Characters after a `\u` that stand for it in readers without Unicode. */
  replaced: number;
  font: number;
}

/** Collects the texts that any reader may show. What a `\u` replaces is hidden text: some readers show it. */
export class RtfTexts {
  hasUnknownCharset = false;
  #visible: string[] = [];
  #hidden: string[] = [];
  #length = 0;
  readonly #groups: Group[] = [];
  #group: Group = { destination: '', isAside: false, replaced: 1, font: -1 };
  #codePage = DEFAULT_CODE_PAGE;
  readonly #fonts = new Map<number, number>();
  /** Bytes that wait for others, because characters may have several. */
  #bytes: Buffer[] = [];
  #skip = 0;
  #isStart = false;
  #isOptional = false;
  #hex: string[] = [];
  #field: string[] = [];
  #embedded: Embedded | null = null;

  read(token: RtfToken): void {
    if (token.type === 2) this.#control(token.word ?? '', token.param, token.data);
    else if (token.type === 3) this.#text(token.data ?? Buffer.alloc(0));
    else if (token.type === 0) this.#begin();
    else this.#end();
  }

  /** The embedded file that the last token completed. */
  takeEmbedded(): Embedded | null {
    const embedded = this.#embedded;
    this.#embedded = null;
    return embedded;
  }

  /** Characters since the last `take`. */
  get length(): number {
    return this.#length;
  }

  /** The texts since the last call. */
  take(): FileText[] {
    this.#flush();
    const texts: FileText[] = [
      { part: 'text', text: this.#visible.join('') },
      { part: 'attribute', text: this.#hidden.join('') },
    ];
    this.#visible = [];
    this.#hidden = [];
    this.#length = 0;
    return texts.filter(({ text }) => text.trim() !== '');
  }

  #begin(): void {
    this.#flush();
    this.#skip = 0;
    this.#groups.push(this.#group);
    this.#group = { ...this.#group };
    this.#isStart = true;
    this.#isOptional = false;
  }

  #end(): void {
    this.#flush();
    this.#skip = 0;
    const { destination, isAside } = this.#group;
    const outer = this.#groups.pop() ?? this.#group;
    const isLast = outer.destination !== destination;
    if (isLast && this.#hex.length > 0) this.#embed(destination);
    if (isLast && destination === 'fldinst') this.#endField();
    if (isLast && isAside) this.#hidden.push('\n');
    this.#group = outer;
    this.#isStart = false;
  }

  #embed(destination: string): void {
    const digits = this.#hex.join('').replace(/[^0-9a-f]/gi, '');
    this.#embedded = { bytes: Buffer.from(digits, 'hex'), isPicture: PICTURES.has(destination) };
    this.#hex = [];
  }

  /** A field can show a single character by its number. */
  #endField(): void {
    const [, number] = /^\s*SYMBOL\s+(\d+|0x[\da-f]+)/i.exec(this.#field.join('')) ?? [];
    if (number !== undefined) this.#visible.push(String.fromCharCode(Number(number)));
    this.#field = [];
  }

  #control(word: string, param: number | undefined, data: Buffer | undefined): void {
    if (word === '*' && this.#isStart) {
      this.#isOptional = true;
      return;
    }
    if (this.#isStart && /^[a-z]/i.test(word)) this.#open(word);
    this.#isStart = false;
    if (word === "'") this.#byte(data ?? Buffer.alloc(0));
    else if (word === 'bin') this.#hex.push((data ?? Buffer.alloc(0)).toString('hex'));
    else this.#word(word, param);
  }

  #byte(data: Buffer): void {
    if (this.#skip > 0) this.#replace(data);
    else this.#bytes.push(data);
  }

  #word(word: string, param: number | undefined): void {
    this.#flush();
    if (word === 'u') {
      this.#write(String.fromCharCode((param ?? 63) & 0xffff));
      this.#skip = this.#group.replaced;
      return;
    }
    if (this.#skip > 0) this.#skip--;
    const shown = SHOWN.get(word);
    if (shown !== undefined) this.#write(shown);
    else this.#set(word, param ?? 0);
  }

  /** The first control word of a group is its destination; formatting is none, and harmless here. */
  #open(word: string): void {
    const isKnown = ASIDE.has(word) || PICTURES.has(word) || OBJECTS.has(word) || word === 'fldinst';
    if (!isKnown && !this.#isOptional) return;
    this.#group = {
      ...this.#group,
      destination: word,
      isAside: this.#group.isAside || this.#isOptional || ASIDE.has(word),
    };
  }

  #set(word: string, param: number): void {
    const { destination, font } = this.#group;
    if (word === 'uc') this.#group.replaced = param;
    else if (word === 'f') this.#group.font = param;
    else if (word === 'plain') this.#group.font = -1;
    else if (word === 'ansicpg') this.#codePage = param;
    else if (word === 'mac') this.#codePage = 10000;
    else if (word === 'pc') this.#codePage = 437;
    else if (word === 'pca') this.#codePage = 850;
    else if (word === 'cpg' && destination === 'fonttbl') this.#fonts.set(font, param);
    else if (word === 'fcharset' && destination === 'fonttbl' && FONT_CHARSETS[param] !== undefined)
      this.#fonts.set(font, FONT_CHARSETS[param]);
  }

  #text(data: Buffer): void {
    this.#isStart = false;
    const { destination } = this.#group;
    if (PICTURES.has(destination) || OBJECTS.has(destination)) {
      this.#hex.push(data.toString('latin1'));
      return;
    }
    const skipped = data.subarray(0, this.#skip);
    if (skipped.length > 0) this.#replace(skipped);
    if (data.length > skipped.length) this.#bytes.push(data.subarray(skipped.length));
  }

  #replace(data: Buffer): void {
    this.#skip -= data.length;
    this.#length += data.length;
    this.#hidden.push(data.toString('latin1'));
  }

  #write(text: string): void {
    this.#length += text.length;
    (this.#group.isAside ? this.#hidden : this.#visible).push(text);
    if (this.#group.destination === 'fldinst') this.#field.push(text);
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Buffer.concat(this.#bytes);
    this.#bytes = [];
    if (bytes.every((byte) => byte < 0x80)) {
      this.#write(bytes.toString('latin1'));
      return;
    }
    const codePage = this.#fonts.get(this.#group.font) ?? this.#codePage;
    const name = CODE_PAGES[codePage] ?? `windows-${codePage}`;
    const text = decodeAs(bytes, name);
    if (text === null) this.hasUnknownCharset = true;
    this.#write(text ?? bytes.toString('latin1'));
  }
}

export interface Embedded {
  readonly bytes: Buffer;
  readonly isPicture: boolean;
}
