import { configure, type FileEntry, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import type { Allowance } from './reading-limits.ts';
import { type Unpacked, UnpackedBytes } from './unpack.ts';

// Readers run on threads of their own.
configure({ useWebWorkers: false });

export interface ZipEntry {
  readonly name: string;
  readonly isLocked: boolean;
  unpack(allowance: Allowance): Promise<Unpacked>;
}

export interface OpenedZip {
  readonly entries: readonly ZipEntry[];
  readonly comment: string;
  /** There are more entries than the allowance has. */
  readonly isCut: boolean;
  /** Two readers could find different things in it. */
  readonly isAmbiguous: boolean;
}

/** As forgiving as the most forgiving reader. Rejects where there is no archive to be found. */
export async function openZip(bytes: Buffer, allowance: Allowance): Promise<OpenedZip> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    strictness: 'tolerant',
    checkSignature: false,
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
  // Not known before the last entry.
  const comment = isCut ? '' : Buffer.from(reader.comment).toString();
  return { entries, comment, isCut, isAmbiguous: !isCut && (await isAmbiguous(bytes)) };
}

function asZipEntry(entry: FileEntry): ZipEntry {
  return {
    name: entry.filename,
    isLocked: entry.encrypted,
    async unpack(allowance) {
      const unpacked = new UnpackedBytes(allowance);
      const sink = new WritableStream<Uint8Array>({
        write(chunk) {
          if (!unpacked.add(chunk)) throw new Error('no more is unpacked');
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

/** Two lists of entries reach the end of it. What merely stands before or after an archive confuses no reader. */
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
