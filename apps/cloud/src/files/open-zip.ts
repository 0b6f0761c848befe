import { configure, type FileEntry, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import type { Allowance } from './reading-limits.ts';
import { type Unpacked, UnpackedBytes } from './unpack.ts';

// Readers already run on their own threads.
configure({ useWebWorkers: false });

export interface ZipEntry {
  readonly name: string;
  readonly isLocked: boolean;
  unpack(allowance: Allowance): Promise<Unpacked>;
}

export interface OpenedZip {
  readonly entries: readonly ZipEntry[];
  readonly comment: string;
  /** True if there are more entries than the allowance permits. */
  readonly isCut: boolean;
  /** True if two readers could find different content in it. */
  readonly isAmbiguous: boolean;
  /** Data before and after the archive. */
  readonly around: readonly Buffer[];
}

/** Opens an archive as leniently as the most lenient reader. Rejects if no archive is found. */
export async function openZip(bytes: Buffer, allowance: Allowance): Promise<OpenedZip> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    strictness: 'tolerant',
    checkSignature: false,
    extractPrependedData: true,
    extractAppendedData: true,
  });
  const entries: ZipEntry[] = [];
  let isCut = false;
  for await (const entry of reader.getEntriesGenerator()) {
    if (allowance.entries === 0) {
      isCut = true;
      break;
    }
    allowance.entries--;
    if (!entry.directory) entries.push(asZipEntry(entry));
  }
  // The comment and what is around the archive are known only after the last entry.
  const comment = isCut ? '' : Buffer.from(reader.comment).toString();
  const around = [reader.prependedData, reader.appendedData].flatMap((data) =>
    data?.some((byte) => byte !== 0) ? Buffer.from(data) : [],
  );
  return { entries, comment, isCut, isAmbiguous: !isCut && (await isAmbiguous(bytes)), around };
}

function asZipEntry(entry: FileEntry): ZipEntry {
  return {
    name: entry.filename,
    isLocked: entry.encrypted,
    async unpack(allowance) {
      const unpacked = new UnpackedBytes(allowance);
      const sink = new WritableStream<Uint8Array>({
        write(chunk) {
          if (!unpacked.add(chunk)) throw new Error('the unpacking limit was reached');
        },
      });
      try {
        await entry.getData(sink, { checkSignature: false });
        return unpacked.end(false);
      } catch {
        return unpacked.end(true);
      }
    },
  };
}

/** Returns whether two entry lists extend to the end of the file. Data before or after an archive is not ambiguous. */
async function isAmbiguous(bytes: Buffer): Promise<boolean> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    strictness: 'balanced',
    filenameValidation: 'tolerant',
    maxAppendedDataSize: Number.POSITIVE_INFINITY,
  });
  try {
    await reader.getEntriesGenerator().next();
    return false;
  } catch {
    return true;
  }
}
