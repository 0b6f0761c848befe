const BLOCKS = new Set(
  (
    'address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 ' +
    'h3 h4 h5 h6 header hr html li main nav ol option p pre section select summary table tbody tfoot thead title tr ul'
  ).split(' '),
);
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const ALLOWED_ELEMENTS = new Set([
  ...BLOCKS,
  ...(
    'a abbr b bdi bdo br caption cite code col colgroup data del dfn em figure i img ins kbd label mark q rp rt ruby ' +
    's samp small span strong sub sup td th time u var wbr head'
  ).split(' '),
]);
const ALLOWED_ATTRIBUTES = new Set(
  'href src alt title lang dir colspan rowspan scope headers datetime cite start reversed open'.split(' '),
);
const ADDRESSES = new Set(['href', 'src', 'cite']);

/** The returned content of a page: its readable text, or its elements without active or hidden ones. */
export interface PageContent {
  open(tag: string, attributes: Readonly<Record<string, string>>): void;
  close(tag: string): void;
  text(text: string): void;
  end(): string;
}

export function createTextContent(): PageContent {
  const parts: string[] = [];
  return {
    open(tag) {
      if (tag === 'br' || BLOCKS.has(tag)) parts.push('\n');
      else if (tag === 'td' || tag === 'th') parts.push('\t');
    },
    close(tag) {
      if (BLOCKS.has(tag)) parts.push('\n');
    },
    text(text) {
      parts.push(text.includes('\n') ? text.replaceAll(/[\r\n]+/g, ' ') : text);
    },
    end: () => tidy(parts.join('')),
  };
}

function tidy(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const trimmed = line
      .replaceAll(/[ \f\r\u00a0]+/g, ' ')
      .replaceAll(/ ?\t[ \t]*/g, '\t')
      .trim();
    if (trimmed !== '') lines.push(trimmed);
  }
  return lines.join('\n');
}

export function createHtmlContent(): PageContent {
  const parts: string[] = [];
  return {
    open(tag, attributes) {
      if (!ALLOWED_ELEMENTS.has(tag)) return;
      parts.push('<', tag);
      for (const name of Object.keys(attributes)) {
        if (!ALLOWED_ATTRIBUTES.has(name)) continue;
        const value = attributes[name] ?? '';
        if (ADDRESSES.has(name) && !isPlainAddress(value)) continue;
        parts.push(' ', name, '="', escapeHtml(value).replaceAll('"', '&quot;'), '"');
      }
      parts.push('>');
    },
    close(tag) {
      if (ALLOWED_ELEMENTS.has(tag) && !VOID.has(tag)) parts.push('</', tag, '>');
    },
    text: (text) => void parts.push(escapeHtml(text)),
    end: () =>
      parts
        .join('')
        .replaceAll(/\n\s*\n/g, '\n')
        .trim(),
  };
}

/** Returns true for web, email, phone and relative URLs, not for scripts or data. */
function isPlainAddress(address: string): boolean {
  const bare = address.replaceAll(/[\x00-\x20]/g, '').toLowerCase();
  const scheme = /^([^/?#:]*):/.exec(bare)?.[1];
  return scheme === undefined || ['http', 'https', 'mailto', 'tel'].includes(scheme);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
