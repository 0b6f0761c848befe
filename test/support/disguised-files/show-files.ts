/** What the libraries that applications use show of a file. A file that a library cannot open has none. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import mammoth from 'mammoth';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Disguise } from './disguise.ts';

/** Text by the name of the library. */
export type Shown = Readonly<Record<string, string>>;

export interface ShownFile extends Disguise {
  readonly shown: Shown;
}

/** The interpreter of the system, which has the packages of the distribution; undefined without python-docx and openpyxl. */
export function findPython(): string | undefined {
  const known = ['/usr/bin/python3', 'python3'];
  return known.find((python) => spawnSync(python, ['-c', 'import docx, openpyxl']).status === 0);
}

/** LibreOffice's converter; undefined without it. */
export function findLibreOffice(): string | undefined {
  return ['soffice', 'libreoffice'].find((program) => spawnSync(program, ['--version']).status === 0);
}

/** Opens the files with the libraries of this language and with those that are installed. Files are written to `folder`. */
export async function showFiles(
  files: readonly Disguise[],
  folder: string,
  programs: { readonly python: string | undefined; readonly libreOffice: string | undefined },
): Promise<ShownFile[]> {
  const paths = files.map(({ extension }, i) => path.join(folder, `${i}.${extension}`));
  await Promise.all(files.map(({ bytes }, i) => writeFile(paths[i]!, bytes)));
  const byPython = programs.python === undefined ? [] : await showByPython(programs.python, paths);
  const byOffice =
    programs.libreOffice === undefined
      ? []
      : await showByLibreOffice(programs.libreOffice, files, paths, folder);
  const shown: ShownFile[] = [];
  for (const [i, file] of files.entries()) {
    const own: Shown = { ...(await showDocument(file)), ...byPython[i], ...byOffice[i] };
    shown.push({ ...file, shown: own });
  }
  return shown;
}

async function showDocument({ extension, bytes }: Disguise): Promise<Shown> {
  try {
    if (extension === 'docx') return { mammoth: await showByMammoth(bytes) };
    if (extension === 'pdf') return { 'pdf.js': await showByPdfJs(bytes) };
  } catch {
    // It cannot be opened.
  }
  return {};
}

async function showByMammoth(bytes: Buffer): Promise<string> {
  const { value: text } = await mammoth.extractRawText({ buffer: bytes });
  const { value: html } = await mammoth.convertToHtml(
    { buffer: bytes },
    { styleMap: ['comment-reference => sup'] },
  );
  return `${text}\n${html.replace(/<[^>]*?(?:alt|href|title)="([^"]*)"[^>]*>/g, ' $1 ').replace(/<[^>]*>/g, '')}`;
}

/** All texts that the library gives to a program, except for what it draws. */
async function showByPdfJs(bytes: Uint8Array): Promise<string> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: true,
    useSystemFonts: true,
  });
  try {
    const document = await task.promise;
    const found: unknown[] = [
      await document.getMetadata().then(({ info, metadata }) => [info, metadata?.getRaw()]),
      await document.getOutline(),
      await document.getAttachments(),
      await document.getJSActions(),
      await document.getFieldObjects(),
      await document.getPageLabels(),
      document.allXfaHtml,
      [...(await document.getOptionalContentConfig())],
    ];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      found.push(items.map((item) => ('str' in item ? item.str : '')).join(''));
      found.push(await page.getAnnotations(), await page.getStructTree(), await page.getJSActions());
    }
    return found.map((one) => stringsIn(one).join('\n')).join('\n');
  } finally {
    await task.destroy();
  }
}

/** Every string in a value, and in the lists, maps and objects in it. */
function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  if (typeof value !== 'object' || value === null || depth > 20) return [];
  const inner = value instanceof Map ? [...value.values()] : Object.values(value);
  return inner.flatMap((one) => stringsIn(one, depth + 1));
}

async function showByPython(python: string, paths: readonly string[]): Promise<Shown[]> {
  const program = spawn(python, [path.join(import.meta.dirname, 'show_files.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.end(`${paths.join('\n')}\n`);
  const shown: Shown[] = [];
  for await (const line of createInterface({ input: program.stdout })) shown.push(JSON.parse(line) as Shown);
  return shown;
}

/** Prints the files to PDFs, all in one run; notes of speakers and hidden sheets are not printed. */
async function showByLibreOffice(
  office: string,
  files: readonly Disguise[],
  paths: readonly string[],
  folder: string,
): Promise<Shown[]> {
  const out = path.join(folder, 'printed');
  await mkdir(out, { recursive: true });
  const openable = paths.filter((_, i) =>
    ['docx', 'xlsx', 'pptx', 'odt', 'rtf'].includes(files[i]!.extension),
  );
  const profile = `-env:UserInstallation=file://${path.join(folder, 'profile')}`;
  spawnSync(office, [profile, '--headless', '--convert-to', 'pdf', '--outdir', out, ...openable], {
    stdio: 'ignore',
  });
  return Promise.all(
    paths.map(async (one): Promise<Shown> => {
      try {
        const name = `${path.basename(one, path.extname(one))}.pdf`;
        return { LibreOffice: await showByPdfJs(await readFile(path.join(out, name))) };
      } catch {
        return {};
      }
    }),
  );
}
