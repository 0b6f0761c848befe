import type { UnscannedReason } from '@csg/shared/contract';

/**
 * Part of a file that a text comes from. `visible` is joined with what else is visible, `text` is a text of its own.
 * The others are rarely seen by people but may be read by models.
 */
export type FileTextPart = 'visible' | 'text' | 'hidden' | 'attribute' | 'meta';

export interface FileText {
  readonly part: FileTextPart;
  readonly text: string;
}

/** A part of a file that was not read. */
export interface Unread {
  readonly reason: UnscannedReason;
  /** Why it was not read: a clause that follows "a file;". */
  readonly why: string;
  /** `media`: pictures and audio, whose only text is drawn or spoken. */
  readonly mayHold: 'text' | 'media';
}

/** One result of a reader, such as a page. */
export interface FilePiece {
  readonly texts: readonly FileText[];
  readonly unread?: Unread;
  /** Set if the piece is a page without text. */
  readonly isEmptyPage?: true;
}

/** Reads a file contained in another file. */
export type ReadNested = (bytes: Buffer) => AsyncIterable<FilePiece>;

export const visible = (text: string): FilePiece => ({ texts: [{ part: 'visible', text }] });

export function unread(reason: UnscannedReason, why: string, mayHold: Unread['mayHold'] = 'text'): FilePiece {
  return { texts: [], unread: { reason, why, mayHold } };
}
