import { textIn } from '@csg/shared/providers';
import { Parser } from 'htmlparser2';
import { type FilePiece, type ReadNested, unread } from './file-text.ts';
import type { ZipEntry } from './open-zip.ts';
import type { Allowance } from './reading-limits.ts';
import { INCOMPLETE_DATA } from './unpack.ts';
import { localName, readXml, type XmlOptions } from './xml-texts.ts';

/** Parts that identify Office files and e-books. */
const OFFICE_PARTS = new Set(['[content_types].xml', 'mimetype', 'content.xml', 'meta-inf/container.xml']);
const OPEN_DOCUMENT_PARTS = new Set(['mimetype', 'content.xml']);
/** Files that only affect a document's appearance: none of it is shown as text. */
const LOOKS = /(?:printersettings\d*\.bin|layout-cache|\.(?:odttf|fntdata|ttf|otf))$/;
/** Drawings without a signature of their own. */
const DRAWINGS = /\.(?:emf|wmf|emz|wmz|wdp)$/;

/** Table of texts that cells refer to by number; the part itself is also read like any other. */
const SHARED_STRINGS = /(?:^|\/)sharedstrings\.xml$/i;

export const isOffice = (entries: readonly ZipEntry[]): boolean =>
  entries.some(({ name }) => OFFICE_PARTS.has(name.toLowerCase()));

/**
 * Yields everything in an Office file that a model may see: every XML part, including body, tables, headers, notes,
 * comments, deletions, hidden sheets and slides, properties and links. `readNested` reads other files in it.
 */
export async function* readOffice(
  entries: readonly ZipEntry[],
  allowance: Allowance,
  readNested: ReadNested,
): AsyncGenerator<FilePiece> {
  const options: XmlOptions = {
    isMixed: entries.some(({ name }) => OPEN_DOCUMENT_PARTS.has(name.toLowerCase())),
    sharedStrings: readSharedStrings(await unpackXml(entries, SHARED_STRINGS, allowance)),
  };
  for (const entry of entries) {
    const name = entry.name.toLowerCase();
    if (LOOKS.test(name)) continue;
    if (DRAWINGS.test(name)) {
      yield PICTURES;
      continue;
    }
    if (entry.isLocked) {
      yield unread('encrypted', 'parts of it require a password');
      continue;
    }
    const { bytes, cut } = await entry.unpack(allowance);
    const xml = xmlIn(bytes);
    if (xml === null) yield* readNested(bytes);
    else {
      yield* readPart(xml, options);
      if (/manifest\.xml$/.test(name) && /encryption-data/.test(xml)) yield LOCKED;
    }
    if (cut !== null) yield INCOMPLETE_DATA[cut];
  }
}

/** Returns '' if there is no such part. */
async function unpackXml(entries: readonly ZipEntry[], part: RegExp, allowance: Allowance): Promise<string> {
  const entry = entries.find(({ name, isLocked }) => !isLocked && part.test(name));
  return entry === undefined ? '' : (xmlIn((await entry.unpack(allowance)).bytes) ?? '');
}

const PICTURES = unread('unsupported_type', 'pictures or recordings in it', 'media');
const LOCKED = unread('encrypted', 'parts of it require a password');

function* readPart(xml: string, options: XmlOptions): Generator<FilePiece> {
  try {
    yield* readXml(xml, options);
  } catch {
    yield unread('undecodable', 'a part of it cannot be read');
  }
}

/** Returns null if it is not XML. The declared character set applies if the bytes do not determine it. */
function xmlIn(bytes: Buffer): string | null {
  const declared = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(
    bytes.subarray(0, 300).toString('latin1'),
  )?.[1];
  const text = decodeAs(bytes, declared) ?? textIn(bytes.toString('latin1'));
  return text !== null && /^\ufeff?\s*</.test(text) ? text : null;
}

function decodeAs(bytes: Buffer, charset: string | undefined): string | null {
  if (charset === undefined || /^utf-?(?:8|16)/i.test(charset)) return null;
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return null;
  }
}

/** Returns the texts that the cells of a workbook refer to by number, in order. */
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
