import type { UnscannedReason } from '@csg/shared/contract';

/** Where in a file a text stood. All but `visible` is what people rarely see and models may read. */
export type FileTextPart = 'visible' | 'hidden' | 'attribute' | 'meta';

export interface FileText {
  readonly part: FileTextPart;
  readonly text: string;
}

/** What of a file was not read. */
export interface Unread {
  readonly reason: UnscannedReason;
  /** A clause that goes after "a file;". */
  readonly why: string;
  /** `media`: pictures and sound, which hold no text but what is drawn or said in them. */
  readonly mayHold: 'text' | 'media';
}

/** What a reader hands over at a time, such as a page. */
export interface FilePiece {
  readonly texts: readonly FileText[];
  readonly unread?: Unread;
  /** The piece is a page on which there is no text. */
  readonly isEmptyPage?: true;
}

/** Reads a file that is in another one. */
export type ReadNested = (bytes: Buffer) => AsyncIterable<FilePiece>;

export const visible = (text: string): FilePiece => ({ texts: [{ part: 'visible', text }] });

export function unread(reason: UnscannedReason, why: string, mayHold: Unread['mayHold'] = 'text'): FilePiece {
  return { texts: [], unread: { reason, why, mayHold } };
}
