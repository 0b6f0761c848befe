import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { type FilePiece, type FileText, type ReadNested, unread } from './file-text.ts';
import {
  type Details,
  isFormUnread,
  type PdfDocument,
  type PdfPage,
  readDescription,
  textsInDetails,
} from './pdf-details.ts';
import { readReplacements } from './pdf-replacements.ts';
import { type Allowance, MAX_PAGES } from './reading-limits.ts';

/** Images are not decoded, because only texts are read. */
const MAX_IMAGE_PIXELS = 1;
/** Tolerance for characters that the two extractions represent differently. */
const MIN_OUTSIDE = 8;
/** A gap within a line, in thousandths of the font size, that is as wide as a space. */
const BLANK_MOVE = 200;

interface TextItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
}
export interface PdfOptions {
  readonly allowance: Allowance;
  /** Reads the files in it; null at the maximum nesting depth. */
  readonly readNested: ReadNested | null;
  /** Pieces that were already read. */
  readonly skip: number;
}

/**
 * Yields the texts of a PDF: its metadata, outline and scripts, then its pages with text that models read and people do
 * not (notes, links, form fields, alternative texts), then the texts that a reader may show instead of marked parts
 * (`ActualText`), then the files in it. Position and color do not matter: all text is read, including text outside of
 * the page.
 */
export async function* readPdf(bytes: Uint8Array, options: PdfOptions): AsyncGenerator<FilePiece> {
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      maxImageSize: MAX_IMAGE_PIXELS,
      enableXfa: true,
    });
    try {
      yield* piecesOf(document, bytes, options);
    } finally {
      await document.loadingTask.destroy();
    }
  } catch (error) {
    yield (error as Error).name === 'PasswordException'
      ? unread('encrypted', 'it requires a password')
      : unread('undecodable', 'it is damaged');
  }
}

async function* piecesOf(
  document: PdfDocument,
  bytes: Uint8Array,
  options: PdfOptions,
): AsyncGenerator<FilePiece> {
  const { OPS } = await getResolvedPDFJS();
  const pages = Math.min(document.numPages, MAX_PAGES);
  if (options.skip === 0) yield { texts: await readDescription(document) };
  const shown: string[] = [];
  const first = Math.max(1, options.skip);
  // Of pages that were read before it is not known.
  let marks = first > 1 ? MARKS.other : MARKS.none;
  for (let number = first; number <= pages; number++) {
    try {
      const page = await document.getPage(number);
      const drawing = (await page.getOperatorList()) as Drawing;
      const piece = await readPage(page, drawing, OPS.showText);
      marks = Math.max(marks, marksIn(drawing, OPS.beginMarkedContentProps));
      shown.push(...piece.texts.map(({ text }) => text));
      yield piece;
    } catch {
      yield unread('undecodable', 'some of its pages are damaged');
    }
  }
  if (marks > MARKS.none) {
    for (let number = 1; number < first; number++) shown.push(await textOf(await document.getPage(number)));
    yield readReplacements(Buffer.from(bytes), shown.join(' '), marks === MARKS.other, options.allowance);
  }
  if (document.numPages > MAX_PAGES) yield unread('too_large', `it has more than ${MAX_PAGES} pages`);
  if (await isFormUnread(document)) yield unread('undecodable', 'its form cannot be read');
  yield* readAttachments(document, pages, options);
}

async function textOf(page: PdfPage): Promise<string> {
  const { items } = (await page.getTextContent()) as { readonly items: readonly TextItem[] };
  return items.map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join('');
}

async function readPage(page: PdfPage, drawing: Drawing, showText: number): Promise<FilePiece> {
  const text = await textOf(page);
  const texts: FileText[] = [{ part: 'visible', text }];
  // pdf.js omits text outside of the page; other readers include it.
  const drawn = drawnText(drawing, showText);
  if (lettersIn(drawn) > lettersIn(text) + MIN_OUTSIDE) texts.push({ part: 'hidden', text: drawn });
  const aside = new Set(
    textsInDetails([await page.getAnnotations(), await page.getStructTree(), await page.getJSActions()]),
  );
  if (aside.size > 0) texts.push({ part: 'attribute', text: [...aside].join('\n') });
  page.cleanup();
  return { texts, ...(text.trim() === '' && { isEmptyPage: true as const }) };
}

async function* readAttachments(
  document: PdfDocument,
  pages: number,
  { allowance, readNested }: PdfOptions,
): AsyncGenerator<FilePiece> {
  // Null if there are none.
  const ofDocument = (await document.getAttachments()) as ReadonlyMap<string, Details> | null;
  const attached = new Map([...(ofDocument ?? []), ...(await attachedToPages(document, pages))]);
  for (const [id, details] of attached) {
    if (readNested === null || allowance.entries-- <= 0) {
      yield unread('too_large', 'it contains more files than the limit');
      return;
    }
    const names = new Set(textsInDetails(details));
    if (names.size > 0) yield { texts: [{ part: 'meta', text: [...names].join('\n') }] };
    const content = (await document.getAttachmentContent(id)) as ArrayLike<number> | null;
    if (content !== null) yield* readNested(Buffer.from(content));
  }
}

/** Files that are attached to a place on a page, by id. */
async function attachedToPages(document: PdfDocument, pages: number): Promise<[string, Details][]> {
  const attached: [string, Details][] = [];
  for (let number = 1; number <= pages; number++) {
    const page = await document.getPage(number).catch(() => null);
    const annotations = ((await page?.getAnnotations().catch(() => null)) ?? []) as readonly Details[];
    for (const { fileId, file } of annotations)
      if (typeof fileId === 'string') attached.push([fileId, file as Details]);
  }
  return attached;
}

interface Drawing {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

/** How texts of pages are marked: not, by numbers of the structure only, or with other properties. */
const MARKS = { none: 0, structure: 1, other: 2 };
/** Layers, and what is no content. */
const NO_TEXT_MARK = /^(?:OC|Artifact)$/;

function marksIn({ fnArray, argsArray }: Drawing, beginMarks: number): number {
  let marks = MARKS.none;
  for (const [i, operator] of fnArray.entries()) {
    if (operator !== beginMarks) continue;
    const [tag, structureId] = argsArray[i] as [string, number | null];
    if (!NO_TEXT_MARK.test(tag))
      marks = Math.max(marks, structureId === null ? MARKS.other : MARKS.structure);
  }
  return marks;
}

/** Returns all text in the page's drawing operations, in their order. */
function drawnText({ fnArray, argsArray }: Drawing, showText: number): string {
  const runs: string[] = [];
  for (const [i, operator] of fnArray.entries()) {
    if (operator !== showText) continue;
    const [glyphs] = argsArray[i] as [readonly (number | { readonly unicode?: string })[]];
    let run = '';
    for (const glyph of glyphs) {
      if (typeof glyph !== 'number') run += glyph.unicode ?? '';
      else if (glyph < -BLANK_MOVE) run += ' ';
    }
    runs.push(run);
  }
  return runs.join(' ');
}

function lettersIn(text: string): number {
  return text.replace(/\s+/g, '').length;
}
