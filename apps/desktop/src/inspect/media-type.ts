const OPAQUE = /^(?:image|audio|video|font)\//;

/** Of a `content-type`, without its parameters, in lower case. */
export function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

/** Bodies that pass as they come: no text is in them, and they may be large. */
export function isOpaque(contentType: string): boolean {
  return OPAQUE.test(mediaType(contentType));
}
