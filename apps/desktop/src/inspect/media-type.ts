const OPAQUE = /^(?:image|audio|video|font)\//;

/** Returns the media type of a `content-type` in lower case, without its parameters. */
export function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

/** True for bodies that pass unread: they contain no text and may be large. */
export function isOpaque(contentType: string): boolean {
  return OPAQUE.test(mediaType(contentType));
}
