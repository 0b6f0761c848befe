import {
  TextReader,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipWriter,
  type ZipWriterAddDataOptions,
} from '@zip.js/zip.js';

/** A ZIP archive of `entries`, in order. */
export async function makeZip(
  entries: Readonly<Record<string, string | Uint8Array>>,
  options: Omit<ZipWriterAddDataOptions, 'comment'> & { readonly comment?: string | Uint8Array } = {},
): Promise<Buffer> {
  const { comment, ...entryOptions } = options;
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const [name, content] of Object.entries(entries)) {
    const reader = typeof content === 'string' ? new TextReader(content) : new Uint8ArrayReader(content);
    await zip.add(name, reader, entryOptions);
  }
  return Buffer.from(await zip.close(comment === undefined ? undefined : Buffer.from(comment)));
}
