import { Renderer, type Tokens } from 'marked';

export const GUIDE = '/docs/guide';

/** HTML of a page of the documentation: links lead to other pages of it, or nowhere. */
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

  /** Pictures of the repository are not part of the product. */
  override image({ text }: Tokens.Image): string {
    return escapeHtml(text);
  }

  /** The documentation holds no HTML: what looks like it is text. */
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escapeHtml(text);
  }

  /** Scrolled by keyboard, too. */
  override table(token: Tokens.Table): string {
    return `<div class="wide" tabindex="0" role="region" aria-label="Table">${super.table(token)}</div>\n`;
  }

  override code({ text }: Tokens.Code): string {
    return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
  }

  /** null: what is not served, such as a source file. */
  #targetOf(href: string): string | null {
    if (/^https?:\/\//.test(href) || href.startsWith('#')) return href;
    if (href.endsWith('openapi.json')) return '/openapi.json';
    const [, name = '', anchor = ''] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
    return this.#pages.has(name) ? `${GUIDE}/${name}${anchor}` : null;
  }
}

/** As code hosts make them of headings. */
export function anchorOf(heading: string): string {
  return plainText(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Without marks for emphasis and code, and of links the words. */
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
