import { getDocumentProxy } from 'unpdf';
import { PageFault } from './page-fault.ts';
import { PageTexts } from './page-texts.ts';
import type { PageReading } from './read-page.ts';

const MAX_PAGES = 2_000;
const MAX_CHARACTERS = 10_000_000;

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
 * of form fields. Where a text stands on its page and in which colour is not looked at: all of it is scanned.
 * Throws PageFault `encrypted`, `pdf` where it is broken, `too_large` past 2,000 pages or 10 million characters.
 */
export async function readPdf(bytes: Uint8Array): Promise<PdfReading> {
  const texts = new PageTexts();
  const pages: string[] = [];
  let characters = 0;
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    if (document.numPages > MAX_PAGES) throw new PageFault('too_large');
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = (await page.getTextContent()) as { readonly items: readonly TextItem[] };
      const text = items.map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join('');
      characters += text.length;
      if (characters > MAX_CHARACTERS) throw new PageFault('too_large');
      pages.push(text);
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
