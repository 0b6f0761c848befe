import { Renderer, type Tokens } from 'marked';

export const GUIDE = '/docs/guide';

/** Renders a documentation page as HTML: links to files that are not served become plain text. */
export class GuideRenderer extends Renderer {
  readonly #pages: ReadonlySet<string>;

  constructor(pages: ReadonlySet<string>) {
    super();
    this.#pages = pages;
  }

  override heading({ tokens, depth, text }: Tokens.Heading): string {
    return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const shown = this.parser.parseInline(tokens);
    const target = this.#targetOf(href);
    return target === null ? shown : `<a href="${escapeHtml(target)}">${shown}</a>`;
  }

  /** Images of the repository are not part of the product. */
  override image({ text }: Tokens.Image): string {
    return escapeHtml(text);
  }

  /** The documentation contains no HTML: what looks like it is rendered as text. */
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escapeHtml(text);
  }

  /** Scrollable by keyboard, too. */
  override table(token: Tokens.Table): string {
    return `<div class="wide" tabindex="0" role="region" aria-label="Table">${super.table(token)}</div>\n`;
  }

  override code({ text }: Tokens.Code): string {
    return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
  }

  /** Returns null for targets that are not served, such as source files. */
  #targetOf(href: string): string | null {
    if (/^https?:\/\//.test(href) || href.startsWith('#')) return href;
    if (href.endsWith('openapi.json')) return '/openapi.json';
    const [, name = '', anchor = ''] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
    return this.#pages.has(name) ? `${GUIDE}/${name}${anchor}` : null;
  }
}

/** Creates anchors as code hosts do for headings. */
export function anchorOf(heading: string): string {
  return plainText(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Removes marks for emphasis and code, and keeps only the text of links. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|#>]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
