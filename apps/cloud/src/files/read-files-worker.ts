import { type MessagePort, threadId } from 'node:worker_threads';
import type { FilePiece } from './file-text.ts';
import { readFileFrom } from './read-file.ts';
// Loaded here, so that it does not count as the first file's time.
import 'unpdf/pdfjs';

export interface FilesJob {
  readonly files: readonly FileToRead[];
  readonly port: MessagePort;
  /** Set to 1 if the thread should pause soon. */
  readonly pause: Int32Array;
  /** Nothing is returned beyond this number of characters. */
  readonly maxCharacters: number;
}

export interface FileToRead {
  readonly bytes: Uint8Array;
  /** Pieces that were already read. */
  readonly skip: number;
}

/** Messages that a thread sends while it reads; they remain valid if the thread is terminated. */
export type FilesMessage =
  | { readonly kind: 'begin'; readonly file: number; readonly threadId: number; readonly cpuMs: number }
  | { readonly kind: 'piece'; readonly file: number; readonly piece: FilePiece }
  /** `pause`: the file may have more pieces. */
  | { readonly kind: 'end' | 'pause'; readonly file: number; readonly cpuMs: number };

export async function readFilesInWorker({ files, port, pause, maxCharacters }: FilesJob): Promise<void> {
  const post = (message: FilesMessage): void => port.postMessage(message);
  let left = maxCharacters;
  const mayGoOn = (): boolean => left >= 0 && Atomics.load(pause, 0) === 0;
  for (const [file, { bytes, skip }] of files.entries()) {
    post({ kind: 'begin', file, threadId, cpuMs: threadCpuMs() });
    let isWhole = true;
    for await (const piece of readFileFrom(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), skip)) {
      const texts = piece.texts.map(({ part, text }) => {
        const head = text.slice(0, Math.max(0, left));
        left -= text.length;
        return { part, text: head };
      });
      post({ kind: 'piece', file, piece: { ...piece, texts } });
      isWhole = mayGoOn();
      if (!isWhole) break;
    }
    post({ kind: isWhole ? 'end' : 'pause', file, cpuMs: threadCpuMs() });
    if (!mayGoOn()) break;
  }
  port.close();
}

/** CPU time of this thread only. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
