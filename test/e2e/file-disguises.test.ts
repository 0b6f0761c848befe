import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatByName } from '@csg/shared/providers';
import { createFileReader } from '../../apps/cloud/src/files/file-reader.ts';
import { GatheredFile } from '../../apps/cloud/src/files/file-reading.ts';
import { readFileFrom } from '../../apps/cloud/src/files/read-file.ts';
import { readFiles } from '../../apps/cloud/src/flows/read-files.ts';
import { missingTool } from '../../scripts/system-tools.ts';
import { type Disguise, WORDS } from '../support/disguised-files/disguise.ts';
import { officeDisguises } from '../support/disguised-files/office-disguises.ts';
import {
  convertedFiles,
  type OrdinaryFile,
  plainFiles,
  pythonFiles,
} from '../support/disguised-files/ordinary-files.ts';
import { pdfDisguises } from '../support/disguised-files/pdf-disguises.ts';
import {
  findLibreOffice,
  findPython,
  type ShownFile,
  showFiles,
} from '../support/disguised-files/show-files.ts';
import { textDisguises } from '../support/disguised-files/text-disguises.ts';
import { cases, isWhole, partOf, seedFor } from '../support/part.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** How the words can be found in a text: with white space between them, or only letter by letter. */
function clarityOf(text: string): 0 | 1 | 2 {
  if (text.replace(/\s+/g, ' ').includes(WORDS)) return 2;
  const letters = (one: string): string => one.replace(/[^a-z]/gi, '').toLowerCase();
  return letters(text).includes(letters(WORDS)) ? 1 : 0;
}

/** What this service reads of the file, and whether it reports that it could not read all. */
async function readBySelf({ bytes }: Disguise) {
  const file = new GatheredFile();
  for await (const piece of readFileFrom(bytes, 0)) file.add(piece);
  const { texts, unread } = file.reading();
  return {
    clarity: Math.max(0, ...texts.map(({ text }) => clarityOf(text))),
    isReported: unread.some(({ mayHold }) => mayHold === 'text'),
  };
}

/** Libraries that show the words more clearly than this service reads them, which reports nothing. */
async function leaks(file: ShownFile): Promise<string[]> {
  const { clarity, isReported } = await readBySelf(file);
  if (isReported) return [];
  return Object.entries(file.shown)
    .filter(([, text]) => clarityOf(text) > clarity)
    .map(([library]) => `${file.extension} ${file.name}: ${library}`);
}

describe('disguised and ordinary files', () => {
  const python = findPython();
  const libreOffice = isWhole ? findLibreOffice() : undefined;
  const noPython =
    python === undefined && (missingTool(['pythonOffice']) || 'Python does not find its packages');
  const noOffice =
    libreOffice === undefined && (isWhole ? 'LibreOffice is not installed' : 'only in the whole suite');

  async function assertNoLeaks(
    files: readonly Disguise[],
    programs: Parameters<typeof showFiles>[2],
  ): Promise<string> {
    const shown = await showFiles(files, tempFolder('disguises'), programs);
    const leaked = (await Promise.all(shown.map(leaks))).flat();
    assert.deepEqual(leaked, []);
    // Otherwise the libraries have opened nothing.
    const opened = shown.filter((file) => Object.values(file.shown).some((text) => clarityOf(text) > 0));
    assert.ok(opened.length > 0);
    return `${shown.length} disguises, ${opened.length} of them shown by a library`;
  }
  const allDisguises = async (): Promise<Disguise[]> => {
    const all = [...(await officeDisguises()), ...(await textDisguises()), ...(await pdfDisguises())];
    assert.ok(all.length >= 100, `${all.length} disguises`);
    return all;
  };

  test('what mammoth and pdf.js show is read or reported', async (t) => {
    const files = (await allDisguises()).filter(
      ({ extension }) => extension === 'docx' || extension === 'pdf',
    );
    const programs = { python: undefined, libreOffice: undefined };
    t.diagnostic(await assertNoLeaks(partOf('disguises for packages', files, 25), programs));
  });

  test('what python-docx, openpyxl and Python show is read or reported', { skip: noPython }, async (t) => {
    const files = (await allDisguises()).filter(({ extension }) => extension !== 'pdf');
    const programs = { python, libreOffice: undefined };
    t.diagnostic(await assertNoLeaks(partOf('disguises for Python', files, 40), programs));
  });

  test('what LibreOffice prints is read or reported', { skip: noOffice }, async (t) => {
    t.diagnostic(await assertNoLeaks(await allDisguises(), { python: undefined, libreOffice }));
  });

  /** Reads the files as those of a request. */
  async function assertReadWhole(files: readonly OrdinaryFile[]): Promise<void> {
    const reader = createFileReader({ threads: 1, workMs: 60_000 });
    const owner = { organizationId: 'org_a', deviceId: null };
    try {
      for (const [name, bytes] of files) {
        const content = [{ type: 'file', file: { file_data: bytes.toString('base64') } }];
        const body = { model: 'm', messages: [{ role: 'user', content }] };
        const request = formatByName('openai-chat').readRequest(body, () => JSON.stringify(body));
        const { unscanned, slots } = await readFiles({ files: reader }, owner, request);
        const texts = unscanned.filter(({ mayHold }) => mayHold === 'text');
        assert.deepEqual(
          texts.map(({ detail }) => detail),
          [],
          name,
        );
        // Word and LibreOffice keep pictures beside the texts; those are reported, whatever the version.
        assert.ok(
          unscanned.length === 0 || /docx|odt|ods|epub|pdf/.test(name),
          `${name}: ${unscanned[0]?.detail}`,
        );
        assert.ok(
          slots.some(({ text }) => text.length > 20),
          name,
        );
      }
    } finally {
      await reader.close();
    }
  }

  test('ordinary files are read whole, without a report', async () => {
    await assertReadWhole(partOf('ordinary files', await plainFiles(), 40));
  });

  test('ordinary files of python-docx, openpyxl and Python are', { skip: noPython }, async () => {
    const folder = tempFolder('ordinary');
    await assertReadWhole(await pythonFiles(python!, folder, cases(9, 150), seedFor('ordinary files')));
  });

  test('ordinary files of LibreOffice are', { skip: noPython || noOffice }, async (t) => {
    const folder = tempFolder('converted');
    await pythonFiles(python!, folder, 60, seedFor('converted files'));
    const files = await convertedFiles(libreOffice!, folder);
    assert.ok(files.length > 100, `${files.length} files`);
    t.diagnostic(`${files.length} files`);
    await assertReadWhole(files);
  });
});
