import { Parser } from 'htmlparser2';
import type { FilePiece, FileText } from './file-text.ts';
import { expandEntities } from './xml-entities.ts';

/** Parsed in chunks of this size, so that texts are returned early. */
const CHUNK_CHARACTERS = 65_536;
const MAX_OPEN_ELEMENTS = 1_000;
/** Longer texts appear only in the first of a sheet's cells that refer to them. */
const MAX_REPEATED_CHARACTERS = 200;

/** Inline elements: words continue across their ends. */
const INLINE = new Set(
  'a bdo del delText dir fld fldSimple hyperlink ins instrText is moveFrom moveTo r ruby rubyBase sdt sdtContent smartTag span sym t v'.split(
    ' ',
  ),
);
const CELLS = new Set(['c', 'tc', 'table-cell', 'covered-table-cell']);
const ROWS = new Set(['row', 'tr', 'table-row']);
const GAPS = new Map([
  ['tab', '\t'],
  ['br', '\n'],
  ['cr', '\n'],
  ['line-break', '\n'],
  ['s', ' '],
]);
/** Elements in which whitespace is significant. */
const RUNS = new Set(['t', 'delText', 'instrText', 'f', 'v']);

/** Attributes with text written by a person, or an address. */
const SPOKEN =
  /^(?:descr|title|alt|tooltip|string-value|author|prompt|promptTitle|error|errorTitle|formula|display|displayText|num-prefix|num-suffix)$/;
/** Elements with text in `val`, `name` or `v`, down to single words. */
const SPOKEN_ELEMENTS =
  /^(?:lvlText|alias|tag|default|listItem|listEntry|helpText|statusText|docVar|sheet|definedName|tableColumn|table|cacheField|s|cSld|section|page|custShow)$/;
const NAMES = /^(?:val|name|v|displayName)$/;
const VALUES = /^(?:value|val|href|Target|location)$/;
/** Attributes with long values that contain no text. */
const STRUCTURAL =
  /^(?:xmlns|style|path|d|points|viewBox|Type|ContentType|PartName|schemaLocation|sqref|ref|spans)$/;
const WORD = /[\p{L}\p{N}]/u;
/** Four words in a row. */
const SENTENCE = /\p{L}{2,30}(?:\s{1,5}\p{L}{2,30}){3}/u;
const STANDARD_NAME =
  /^(?:https?:\/\/(?:schemas\.|purl\.(?:oclc\.)?org\/|www\.w3\.org\/|docs\.oasis)|urn:|\{)\S*$/;
/** How sheets and properties write characters that XML cannot contain, or a reader may change. */
const ESCAPED = /_x([0-9a-f]{4})_/gi;
/** Symbols of a font are listed from here on. */
const SYMBOLS = 0xf000;

export interface XmlOptions {
  /** True if whitespace between elements is text, as in OpenDocument but not in Microsoft Office files. */
  readonly isMixed?: boolean;
  /** Texts that the cells of a sheet refer to by number. */
  readonly sharedStrings?: readonly string[];
}

/**
 * Yields the texts of any XML part of an Office file: the content of its elements, by lines and rows, and attributes
 * with text. Entities are resolved if the part itself defines them; a document type is read as text. Throws if it is
 * nested too deeply, or if not every entity could be resolved; what was read until then was returned.
 */
export function* readXml(source: string, options: XmlOptions = {}): Generator<FilePiece> {
  const { xml, isWhole } = expandEntities(source);
  const reader = new XmlReader(options);
  for (let at = 0; at < xml.length; at += CHUNK_CHARACTERS) {
    reader.feed(xml.slice(at, at + CHUNK_CHARACTERS), at + CHUNK_CHARACTERS >= xml.length);
    const texts = reader.take();
    if (texts.length > 0) yield { texts };
  }
  if (!isWhole) throw new Error('not every entity could be resolved');
}

interface OpenElement {
  readonly name: string;
  /** Number of characters read before the element. */
  readonly from: number;
}

class XmlReader {
  readonly #options: XmlOptions;
  readonly #parser: Parser;
  readonly #open: OpenElement[] = [];
  #lines: string[] = [];
  #attributes: string[] = [];
  readonly #shown = new Set<number>();
  #length = 0;
  #cells = 0;
  /** The `t` attribute of the current cell, which names its type. */
  #cellType = '';

  constructor(options: XmlOptions) {
    this.#options = options;
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#enter(localName(name), attributes),
        onclosetag: (name) => this.#leave(localName(name)),
        ontext: (text) => this.#read(text),
        oncomment: (text) => void this.#attributes.push(text.trim()),
        onprocessinginstruction: (name, text) => {
          if (name.startsWith('!')) this.#attributes.push(text);
        },
      },
      { xmlMode: true },
    );
  }

  feed(xml: string, isLast: boolean): void {
    this.#parser.write(xml);
    if (isLast) this.#parser.end();
  }

  take(): FileText[] {
    const texts: FileText[] = [];
    const lines = decodeEscaped(this.#lines.join(''));
    const attributes = decodeEscaped(this.#attributes.join('\n'));
    if (lines.trim() !== '') texts.push({ part: 'visible', text: lines });
    if (attributes.trim() !== '') texts.push({ part: 'attribute', text: attributes });
    this.#lines = [];
    this.#attributes = [];
    return texts;
  }

  #write(text: string): void {
    this.#lines.push(text);
    this.#length += text.length;
  }

  #enter(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#open.length >= MAX_OPEN_ELEMENTS) throw new Error('elements are nested too deeply');
    this.#open.push({ name, from: this.#length });
    if (CELLS.has(name)) {
      this.#cells++;
      this.#cellType = attributes['t'] ?? '';
    }
    const gap = GAPS.get(name);
    if (gap !== undefined) this.#write(gap);
    if (name === 'f') this.#write('=');
    const isSpoken = SPOKEN_ELEMENTS.test(name);
    for (const [attribute, value] of Object.entries(attributes)) {
      const own = localName(attribute);
      if (name === 'sym' && own === 'char') this.#write(symbolOf(value));
      else if ((isSpoken && NAMES.test(own) && WORD.test(value)) || holdsText(own, value))
        this.#attributes.push(value);
    }
  }

  #leave(name: string): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    if (CELLS.has(name)) this.#cells--;
    if (this.#length === element.from || GAPS.has(name)) return;
    if (CELLS.has(name)) this.#write('\t');
    else if (ROWS.has(name)) this.#write('\n');
    else if (!INLINE.has(name)) this.#write(this.#cells > 0 ? ' ' : '\n');
  }

  #read(text: string): void {
    const name = this.#open.at(-1)?.name ?? '';
    if (this.#options.isMixed !== true && !RUNS.has(name) && text.trim() === '') return;
    this.#write(name === 'v' && this.#cells > 0 ? this.#valueOf(text) : text);
  }

  #valueOf(text: string): string {
    if (this.#cellType !== 's') return plainNumber(text);
    const index = Number(text);
    const shared = this.#options.sharedStrings?.[index] ?? text;
    // A text of a megabyte in each of ten thousand cells would be ten gigabytes.
    if (shared.length > MAX_REPEATED_CHARACTERS) {
      if (this.#shown.has(index)) return '';
      this.#shown.add(index);
    }
    return shared;
  }
}

const decodeEscaped = (text: string): string =>
  text.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

function symbolOf(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return Number.isNaN(code)
    ? ''
    : String.fromCharCode(code >= SYMBOLS && code <= SYMBOLS + 0xff ? code - SYMBOLS : code);
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Expands long numbers, which sheets store as 4.11E+15. */
function plainNumber(text: string): string {
  if (!/^[+-]?[\d.]+e\+?\d{1,2}$/i.test(text)) return text;
  const value = Number(text);
  return Number.isSafeInteger(value) ? String(value) : text;
}

function holdsText(name: string, value: string): boolean {
  if (SPOKEN.test(name)) return WORD.test(value);
  if (value.length < 4 || STANDARD_NAME.test(value)) return false;
  if (STRUCTURAL.test(name)) return SENTENCE.test(value);
  if (value.length > 40 || value.includes('@')) return true;
  if (VALUES.test(name) && /\d{7}|:/.test(value)) return true;
  return /\s\S+\s/.test(value) || /[\u2e80-\uffff]/.test(value);
}
