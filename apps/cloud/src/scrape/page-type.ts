export type PageType = 'html' | 'text' | 'json' | 'xml' | 'pdf';

/** Returns the text type of a Content-Type; `other` is not read. Without one, the start of the body decides. */
export function readPageType(contentType: string, body: Uint8Array): PageType | 'other' {
  const mime = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (mime === 'application/pdf' || startsWith(body, '%PDF-')) return 'pdf';
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return 'html';
  if (mime === 'application/json' || mime.endsWith('+json')) return 'json';
  if (mime === 'image/svg+xml') return 'html';
  if (mime === 'text/xml' || mime === 'application/xml' || mime.endsWith('+xml')) return 'xml';
  if (mime.startsWith('text/')) return 'text';
  if (mime !== '') return 'other';
  // For servers that send no type: it is text if its start has no control characters.
  const head = body.subarray(0, 1024);
  if (head.some((byte) => byte < 9 || (byte > 13 && byte < 27))) return 'other';
  return /<(?:!doctype|html|head|body|div|p|script|title)\b/i.test(new TextDecoder('latin1').decode(head))
    ? 'html'
    : 'text';
}

function startsWith(body: Uint8Array, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (body[i] !== text.charCodeAt(i)) return false;
  return true;
}
