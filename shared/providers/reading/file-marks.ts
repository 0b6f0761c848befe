/** Files whose text must be extracted: `zip` are archives and Office files, `ole` Office files from before 2007. */
export type FileMark = 'pdf' | 'zip' | 'gzip' | 'ole';

/** The directory of a ZIP archive is at its end, before a comment of at most 65,535 bytes. */
export const TAIL_BYTES = 65_557;

/** `head`: the first bytes, `tail`: the last TAIL_BYTES, one character each. */
export function fileMarkIn(head: string, tail: string): FileMark | null {
  if (head.includes('%PDF-')) return 'pdf';
  if (head.startsWith('PK\x03\x04') || tail.includes('PK\x05\x06')) return 'zip';
  if (head.startsWith('\x1f\x8b')) return 'gzip';
  return head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') ? 'ole' : null;
}
