import { type ExtractedFile, GatheredFile } from '../../../apps/cloud/src/files/file-reading.ts';
import { readFileFrom } from '../../../apps/cloud/src/files/read-file.ts';

export async function readWhole(bytes: Buffer, skip = 0): Promise<ExtractedFile> {
  const file = new GatheredFile();
  for await (const piece of readFileFrom(bytes, skip)) file.add(piece);
  return file.reading();
}

/** All texts, and the reasons why parts were not read. */
export async function readTexts(bytes: Buffer): Promise<{ text: string; reasons: string[] }> {
  const { texts, unread } = await readWhole(bytes);
  return { text: texts.map(({ text }) => text).join('\n'), reasons: unread.map(({ reason }) => reason) };
}
