import { textIn } from '@csg/shared/providers';
import { decodeAs } from './read-plain.ts';

export interface DecodedXml {
  /** The text in each encoding that a reader may choose: the declared one, and that of the bytes. */
  readonly readings: readonly string[];
  /** True if a reader may know an encoding that is not supported. */
  readonly isUndecodable: boolean;
}

const DECLARED_ENCODING = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i;
/** The content decides between them. */
const DETECTED = /^(?:utf-?(?:8|16|32)(?:le|be)?|us-ascii|ascii)$/i;
/** `<?xm` in EBCDIC, and `<` in the two unusual orders of four bytes. */
const UNSUPPORTED_START = /^(?:\x4c\x6f\xa7\x94|\x00\x00\x3c\x00|\x00\x3c\x00\x00)/;

/** Returns null if the bytes are not XML. */
export function decodeXml(bytes: Buffer): DecodedXml | null {
  if (UNSUPPORTED_START.test(bytes.toString('latin1', 0, 4))) return { readings: [], isUndecodable: true };
  const detected = textIn(bytes.toString('latin1'));
  // The declaration of a part in UTF-16 is in UTF-16, too.
  const heads = [bytes.toString('latin1', 0, 300), detected?.slice(0, 300) ?? ''];
  const declared = heads.map((head) => DECLARED_ENCODING.exec(head)?.[1]).find((name) => name !== undefined);
  const isDetected = declared === undefined || DETECTED.test(declared);
  const decoded = isDetected ? null : decodeAs(bytes, declared);
  const readings = [...new Set([decoded, detected])].filter(
    (text) => text !== null && /^\ufeff?\s*</.test(text),
  ) as string[];
  const isUndecodable = !isDetected && decoded === null;
  return readings.length > 0 || isUndecodable ? { readings, isUndecodable } : null;
}
