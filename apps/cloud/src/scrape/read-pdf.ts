import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { PageFault } from './page-fault.ts';
import { PageTexts } from './page-texts.ts';
import type { PageReading } from './read-page.ts';

const MAX_PAGES = 2_000;
const MAX_CHARACTERS = 10_000_000;

/** No picture is decoded: only texts are read. */
const MAX_IMAGE_PIXELS = 1;
/** Texts of both readings differ by signs that are written in two ways. */
const MIN_OUTSIDE = 8;
/** Moves within a line, in thousandths of a letter's height, that are as wide as a blank. */
const BLANK_MOVE = 200;

interface TextItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
}
interface Annotation {
  readonly contentsObj?: { readonly str?: string };
  readonly fieldValue?: unknown;
}

export interface PdfReading extends PageReading {
  /** Pages that are pictures, or empty. */
  readonly pagesWithoutText: number;
}

/**
 * The text of a PDF: its pages, and what models read and people do not: the document's description, notes and values
 * of form fields. Where a text stands and in which colour is not looked at: all of it is scanned, outside of the page too.
 * Throws PageFault `encrypted`, `pdf` where it is broken, `too_large` past 2,000 pages or 10 million characters.
 */
export async function readPdf(bytes: Uint8Array): Promise<PdfReading> {
  const texts = new PageTexts();
  const pages: string[] = [];
  let characters = 0;
  try {
    const { OPS } = await getResolvedPDFJS();
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      maxImageSize: MAX_IMAGE_PIXELS,
    });
    if (document.numPages > MAX_PAGES) throw new PageFault('too_large');
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = (await page.getTextContent()) as { readonly items: readonly TextItem[] };
      const text = items.map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join('');
      characters += text.length;
      if (characters > MAX_CHARACTERS) throw new PageFault('too_large');
      pages.push(text);
      // pdf.js leaves out what stands outside of the page; other readers do not.
      const drawn = drawnText(await page.getOperatorList(), OPS.showText);
      if (lettersIn(drawn) > lettersIn(text) + MIN_OUTSIDE) texts.add('hidden', drawn);
      for (const note of (await page.getAnnotations()) as readonly Annotation[]) {
        texts.add('attribute', note.contentsObj?.str ?? '');
        if (typeof note.fieldValue === 'string') texts.add('attribute', note.fieldValue);
      }
      page.cleanup();
    }
    const { info } = await document.getMetadata();
    for (const value of Object.values(info) as unknown[])
      if (typeof value === 'string') texts.add('meta', value);
    await document.loadingTask.destroy();
  } catch (error) {
    if (error instanceof PageFault) throw error;
    throw new PageFault((error as Error).name === 'PasswordException' ? 'encrypted' : 'pdf', {
      cause: error,
    });
  }
  const content = pages.join('\n').trim();
  texts.add('visible', content);
  const pagesWithoutText = pages.filter((text) => text.trim() === '').length;
  return { content, texts: texts.all(), scripts: [], loads: [], forms: [], pagesWithoutText };
}

interface Drawing {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

/** All that a page's program writes, in its order. */
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
