import { Parser } from 'htmlparser2';
import { decodeXml } from './decode-xml.ts';
import { type FilePiece, type ReadNested, unread } from './file-text.ts';
import type { ZipEntry } from './open-zip.ts';
import { isWithoutText, type PackageTypes, readPackageTypes, TYPE_LISTS } from './package-types.ts';
import { NOT_TEXT } from './read-plain.ts';
import type { Allowance } from './reading-limits.ts';
import { INCOMPLETE_DATA, type Unpacked } from './unpack.ts';
import { localName, readXml, type XmlOptions } from './xml-texts.ts';

/** Parts that identify Office files and e-books. */
const OFFICE_PARTS = new Set(['[content_types].xml', 'mimetype', 'content.xml', 'meta-inf/container.xml']);
const OPEN_DOCUMENT_PARTS = new Set(['mimetype', 'content.xml']);

/** Names of one word and those of the format itself, such as `word/_rels/document.xml.rels`. */
const PLAIN_NAME = /^(?:\[Content_Types\]\.xml|[\w./-]*)$/;
const WORDS_IN_NAME =
  /[\p{L}\d]{2,30}[-_+]{1,5}\p{L}{2,30}[-_+]{1,5}\p{L}{2,30}|\d{3}-\d{2}-\d{4}|\d{4}[-_]?\d{4}[-_]?\d{4}/u;
/** EMF, WMF, JPEG XR and the drawings of LibreOffice, which have no type in some packages. */
const DRAWING_START =
  /^(?:\x01\x00\x00\x00[\s\S]{36} EMF|\xd7\xcd\xc6\x9a|\x01\x00\x09\x00\x00\x03|II\xbc\x01|VCLMTF)/;

/** Start of a table of texts that cells refer to by number; the part itself is also read like any other. */
const SHARED_STRINGS = /<(?:[\w.-]+:)?sst[\s>]/;
const SHARED_STRINGS_START_BYTES = 4_096;

export const isOffice = (entries: readonly ZipEntry[]): boolean =>
  entries.some(({ name }) => OFFICE_PARTS.has(name.toLowerCase()));

interface Part {
  readonly name: string;
  readonly content: Unpacked;
}

/**
 * Yields everything in an Office file that a model may see: every XML part, including body, tables, headers, notes,
 * comments, deletions, hidden sheets and slides, properties and links. The content of a part decides how it is read;
 * its declared type only says whether a binary part is worth reporting. `readNested` reads other files in it.
 */
export async function* readOffice(
  entries: readonly ZipEntry[],
  allowance: Allowance,
  readNested: ReadNested,
): AsyncGenerator<FilePiece> {
  const names = entries
    .map(({ name }) => name)
    .filter((name) => !PLAIN_NAME.test(name) || WORDS_IN_NAME.test(name));
  if (names.length > 0) yield { texts: [{ part: 'attribute', text: names.join('\n') }] };
  if (entries.some(({ isLocked }) => isLocked)) yield LOCKED;
  const parts: Part[] = [];
  for (const entry of entries)
    if (!entry.isLocked) parts.push({ name: entry.name, content: await entry.unpack(allowance) });
  const sharedStrings = parts.flatMap(({ content }) => sharedStringsIn(content.bytes));
  if (sharedStrings.length > 1) yield AMBIGUOUS;
  const options: XmlOptions = {
    isMixed: entries.some(({ name }) => OPEN_DOCUMENT_PARTS.has(name.toLowerCase())),
    sharedStrings: sharedStrings[0] ?? [],
  };
  const types = readPackageTypes(
    parts.filter(({ name }) => TYPE_LISTS.test(name)).flatMap(({ content }) => xmlOf(content.bytes)),
  );
  for (const part of parts) {
    yield* readPart(part, { types, options, readNested });
    if (part.content.cut !== null) yield INCOMPLETE_DATA[part.content.cut];
  }
}

const PICTURES = unread('unsupported_type', 'pictures or recordings in it', 'media');
const LOCKED = unread('encrypted', 'parts of it require a password');
const AMBIGUOUS = unread('undecodable', 'it can be read in more than one way');
const NOT_DECODED = unread('undecodable', 'a part of it is in an encoding that is not supported');
const NOT_PARSED = unread('undecodable', 'a part of it cannot be read');

interface PartOptions {
  readonly types: PackageTypes;
  readonly options: XmlOptions;
  readonly readNested: ReadNested;
}

async function* readPart(
  { name, content: { bytes } }: Part,
  { types, options, readNested }: PartOptions,
): AsyncGenerator<FilePiece> {
  const xml = decodeXml(bytes);
  if (xml === null) {
    yield* readOther(bytes, types.typeOf(name), readNested);
    return;
  }
  if (xml.isUndecodable) yield NOT_DECODED;
  for (const reading of xml.readings) {
    yield* readReading(reading, options);
    if (/manifest\.xml$/i.test(name) && /encryption-data/.test(reading)) yield LOCKED;
  }
}

/** Reads a part that is not XML. */
async function* readOther(bytes: Buffer, type: string, readNested: ReadNested): AsyncGenerator<FilePiece> {
  const isPicture = type.startsWith('image/') || DRAWING_START.test(bytes.toString('latin1', 0, 44));
  for await (const piece of readNested(bytes)) {
    if (piece !== NOT_TEXT) yield piece;
    else if (isPicture) yield PICTURES;
    else if (!isWithoutText(type)) yield piece;
  }
}

function* readReading(xml: string, options: XmlOptions): Generator<FilePiece> {
  try {
    yield* readXml(xml, options);
  } catch {
    yield NOT_PARSED;
  }
}

const xmlOf = (bytes: Buffer): readonly string[] => decodeXml(bytes)?.readings ?? [];

/** The texts that the cells of a workbook refer to by number, in order; none if the part is no table of them. */
function sharedStringsIn(bytes: Buffer): (readonly string[])[] {
  const start = bytes.toString('latin1', 0, SHARED_STRINGS_START_BYTES).replaceAll('\0', '');
  return SHARED_STRINGS.test(start) ? xmlOf(bytes).slice(0, 1).map(readSharedStrings) : [];
}

function readSharedStrings(xml: string): readonly string[] {
  const texts: string[] = [];
  let text = '';
  let inRun = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        inRun = localName(name) === 't';
        if (localName(name) === 'si') text = '';
      },
      ontext(run) {
        if (inRun) text += run;
      },
      onclosetag(name) {
        inRun = false;
        if (localName(name) === 'si') texts.push(text);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return texts;
}
