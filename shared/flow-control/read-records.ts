import { parseContainer, pausing, type Steps, trimBy } from '../text/index.ts';

// Patterns of its own, not the parsers of `detection/units`: those take quadratic time and memory for long hostile texts.

/** One value of a record; `name`: its field, null: it has none. */
export interface RecordField {
  readonly name: string | null;
  readonly text: string;
}

const MAX_RECORDS = 20_000;
const MAX_LINE = 2_000;
/** A text that is one record made of sentences. */
const MAX_SENTENCES = 400;

/** `- email: ada@…`, `**Email**: ada@…` */
const PAIR =
  /^[ \t]{0,40}([-*•][ \t]+)?(?:\*\*|__)?([\p{L}][\p{L}\p{N} _-]{0,40}?)(?:\*\*|__)?[ \t]{0,4}:(?:\*\*|__)?[ \t]+(\S.*)$/u;
const ITEM = /^[ \t]{0,40}(?:[-*•]|\d{1,4}[.)])[ \t]+(\S.*)$/;
/** `{'name': 'Ada', 'email': 'ada@…'}`, `Contact(name='Ada', email='ada@…')` */
const LITERAL = /\{[^{}()\n]{1,2000}\}|\b[A-Z]\w{0,60}\([^{}()\n]{1,2000}\)/g;
const MEMBER =
  /(?:(["'])([\w -]{1,60})\1\s?:|\b(\w{1,60})=)\s?(?:'((?:[^'\\]|\\.){0,500})'|"((?:[^"\\]|\\.){0,500})"|([\w.+-]{1,60}))(?=\s?(?:[,})]|$))/g;
/** An element of nothing but elements with text, or of attributes. */
const ELEMENT =
  /<(\w[\w.-]{0,60})(?:\s[^<>]{0,500})?>\s{0,40}((?:<(\w[\w.-]{0,60})>[^<>]{0,500}<\/\3>\s{0,40}){1,60})<\/\1>/g;
const CHILD = /<(\w[\w.-]{0,60})>([^<>]{0,500})<\//g;
const ATTRIBUTES = /<\w[\w.-]{0,60}((?:\s+[\w.-]{1,60}="[^"<>]{0,500}"){2,60})\s*\/?>/g;
const ATTRIBUTE = /([\w.-]{1,60})="([^"]{0,500})"/g;
/** `Ada Vey's email address is ada@…` */
const SENTENCE =
  /^(\p{Lu}[\p{L}.’'-]{0,40}(?: \p{Lu}[\p{L}.’'-]{0,40}){0,3}?|Her|His|Their|The)(?:['’]s)?,? (?:work |home |main |mobile )?(e-?mail(?: address)?|phone(?: number)?|mobile|number|account|iban|channel|handle|name) (?:is|:) (\S{1,120}|\p{Lu}[\p{L} ]{1,60})$/u;

/**
 * Returns the innermost records of a text: objects of JSON; else rows with cells, blocks of `key: value` lines, list
 * items, literals of Python and dataclasses, elements of XML; and a whole text of sentences that each say one field.
 */
export function* readRecords(text: string): Steps<RecordField[][]> {
  const records: RecordField[][] = [];
  const json = parseContainer(text);
  if (json !== null) {
    yield* objectsIn(records, json, 0);
    return records;
  }
  const add = (record: RecordField[]): void => {
    if (record.length > 1 && records.length < MAX_RECORDS) records.push(record);
  };
  yield* linesIn(text, add);
  yield* pausing(text.matchAll(LITERAL), ([literal]) =>
    add(
      [...literal.matchAll(MEMBER)].map(([, , quoted, bare, single, double, plain]) => ({
        name: quoted ?? bare ?? null,
        text: single ?? double ?? plain ?? '',
      })),
    ),
  );
  if (text.includes('</') || text.includes('/>')) yield* elementsIn(text, add);
  add(sentencesIn(text));
  return records;
}

function* linesIn(text: string, add: (record: RecordField[]) => void): Steps<void> {
  let block: RecordField[] = [];
  const end = (): void => {
    add(block);
    block = [];
  };
  yield* pausing(text.split('\n'), (line) => {
    if (line.length > MAX_LINE) return end();
    const [, bullet, name, value] = PAIR.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      if (bullet !== undefined) end();
      block.push({ name, text: bare(value) });
    } else end();
    const cells = line.split(/[,\t;|]/).map(bare);
    if (cells.length > 1) add(cells.map(unnamed));
    const [, item] = ITEM.exec(line) ?? [];
    if (item !== undefined) add(item.split(/[,;|()<>]|: | [-–—] /).map((part) => unnamed(bare(part))));
  });
  end();
}

const unnamed = (text: string): RecordField => ({ name: null, text });
const bare = (text: string): string => trimBy(text, /[\s"'*_`]/);

function* elementsIn(text: string, add: (record: RecordField[]) => void): Steps<void> {
  yield* pausing(text.matchAll(ELEMENT), ([, , children = '']) =>
    add([...children.matchAll(CHILD)].map(([, name = '', value = '']) => ({ name, text: value.trim() }))),
  );
  yield* pausing(text.matchAll(ATTRIBUTES), ([, attributes = '']) =>
    add([...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => ({ name, text: value }))),
  );
}

/** Empty unless every sentence of the text says one field: other sentences may be anybody's. */
function sentencesIn(text: string): RecordField[] {
  const whole = text.trim();
  if (whole.length === 0 || whole.length > MAX_SENTENCES) return [];
  const fields: RecordField[] = [];
  for (const sentence of trimBy(whole, /\./).split(/\.\s+/)) {
    const [, who = '', name = '', value = ''] = SENTENCE.exec(sentence) ?? [];
    if (value === '') return [];
    fields.push({ name: 'name', text: who.replace(/['’]s$/, '') }, { name, text: value });
  }
  return fields;
}

function* objectsIn(records: RecordField[][], value: object, depth: number): Steps<void> {
  if (depth > 50 || records.length >= MAX_RECORDS) return;
  const fields: RecordField[] = [];
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    const name = isList ? null : key;
    const add = (scalar: unknown): void => void fields.push({ name, text: String(scalar) });
    if (['string', 'number', 'boolean'].includes(typeof member)) add(member);
    else if (Array.isArray(member) && member.every((item) => typeof item !== 'object')) member.forEach(add);
    else if (typeof member === 'object' && member !== null) yield* objectsIn(records, member, depth + 1);
  }
  if (isList) return;
  records.push(fields);
  yield;
}
