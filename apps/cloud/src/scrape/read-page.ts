import { Parser } from 'htmlparser2';
import type { HiddenBy } from './declared-style.ts';
import type { FetchedPage } from './fetch-page.ts';
import {
  computedState,
  type HiddenState,
  hiddenBy,
  inheritState,
  isPreserved,
  SHOWN,
} from './hidden-state.ts';
import { createHtmlContent, createTextContent, type PageContent } from './page-content.ts';
import { PageError } from './page-error.ts';
import { isProse, type PageText, type PageTextKind, PageTexts } from './page-texts.ts';
import { readStrings } from './read-strings.ts';
import { readStyleSheet, type StyleSheet } from './style-sheet.ts';

export interface PageForm {
  readonly action: string;
  /** Names and types of its fields, such as `password:pw`. */
  readonly fields: readonly string[];
}

export interface ExtractedPage {
  /** Readable text, or cleaned HTML. */
  readonly content: string;
  readonly texts: readonly PageText[];
  /** Code of `<script>`, of `on…` attributes and of `javascript:` addresses. */
  readonly scripts: readonly string[];
  /** URLs that the page loads automatically: images, frames, styles, media. */
  readonly loads: readonly string[];
  readonly forms: readonly PageForm[];
}

/** Browsers limit their trees to 512 levels; closing a tag searches the open ones. */
const MAX_DEPTH = 1_000;
const MAX_FORMS = 500;
const MAX_LOADS = 20_000;
/** Attributes whose values are not prose; all others may be. */
const STRUCTURAL = new Set(
  'class id style href src srcset sizes rel type name for d points viewbox transform xmlns integrity nonce media action method'.split(
    ' ',
  ),
);
const SIDE = new Map<string, PageTextKind>([
  ['script', 'script'],
  ['style', 'style'],
  ['noscript', 'noscript'],
  ['template', 'template'],
]);

interface OpenElement {
  readonly tag: string;
  readonly state: HiddenState;
  /** Set within elements whose text is not part of the visible page. */
  readonly kind: PageTextKind | undefined;
  /** Set on the outermost hidden element. */
  readonly hides: boolean;
  readonly isDropped: boolean;
}

export type ReadablePage = Pick<FetchedPage, 'type' | 'text' | 'computed'>;

/** Reads a page in one pass, in time linear in its length. Throws PageError `too_deep`. */
export function readPage(page: ReadablePage, asText: boolean): ExtractedPage {
  // In a page rendered by a browser nothing has to be guessed from styles.
  const isGuessed = page.type === 'html' && page.computed === undefined;
  const reader = new PageReader(readStyleSheet(isGuessed ? styleText(page.text) : ''), page.computed, asText);
  if (page.type === 'text' || page.type === 'json') reader.readPlain(page.text);
  else reader.readMarkup(page.text, page.type === 'xml');
  return reader.finish(page.type === 'xml' && !asText ? page.text : undefined);
}

class PageReader {
  readonly #sheet: StyleSheet;
  readonly #computed: string | undefined;
  readonly #texts = new PageTexts();
  readonly #content: PageContent;
  readonly #scripts: string[] = [];
  readonly #loads: string[] = [];
  readonly #forms: { action: string; fields: string[] }[] = [];
  readonly #open: OpenElement[] = [];
  readonly #visible: PageContent = createTextContent();
  #gathered: string[] = [];
  #plain: string | undefined;

  constructor(sheet: StyleSheet, computed: string | undefined, asText: boolean) {
    this.#sheet = sheet;
    this.#computed = computed;
    this.#content = asText ? createTextContent() : createHtmlContent();
  }

  readPlain(text: string): void {
    this.#plain = text;
  }

  readMarkup(text: string, isXml: boolean): void {
    const parser = new Parser(
      {
        onopentag: (tag, attributes) => this.#onOpen(tag.toLowerCase(), attributes),
        onclosetag: (tag) => this.#onClose(tag.toLowerCase()),
        ontext: (data) => this.#onText(data),
        oncomment: (data) => this.#texts.add('comment', data),
        onprocessinginstruction: (_name, data) => {
          if (isProse(data) && !data.startsWith('!')) this.#texts.add('comment', data);
        },
      },
      { xmlMode: isXml, decodeEntities: true, lowerCaseAttributeNames: true },
    );
    parser.write(text);
    parser.end();
  }

  finish(raw: string | undefined): ExtractedPage {
    const visible = this.#plain ?? this.#visible.end();
    this.#texts.add('visible', visible);
    return {
      content: this.#plain ?? raw ?? this.#content.end(),
      texts: this.#texts.all(),
      scripts: this.#scripts,
      loads: this.#loads,
      forms: this.#forms,
    };
  }

  #onOpen(tag: string, attributes: Record<string, string>): void {
    const parent = this.#open.at(-1);
    if (this.#open.length >= MAX_DEPTH) throw new PageError('too_deep');
    const state = this.#stateOf(tag, attributes, parent?.state ?? SHOWN);
    const isHidden = hiddenBy(state) !== undefined;
    const kind = parent?.kind ?? this.#kindOf(tag, attributes);
    const isDropped =
      kind !== undefined || tag === 'iframe' || tag === 'object' || !this.#isPreserved(hiddenBy(state));
    const hides = isHidden && (parent === undefined || hiddenBy(parent.state) === undefined);
    if ((hides || (kind !== undefined && parent?.kind === undefined)) && parent?.kind === undefined)
      this.#flush();
    this.#open.push({ tag, state, kind, hides, isDropped });
    this.#readAttributes(tag, attributes);
    if (!isDropped) this.#content.open(tag, attributes);
    if (kind === undefined && !isHidden) this.#visible.open(tag, attributes);
    else this.#gathered.push(' ');
  }

  #onClose(tag: string): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    const parent = this.#open.at(-1);
    if (closed.hides || (closed.kind !== undefined && parent?.kind === undefined)) this.#flush(closed);
    if (!closed.isDropped) this.#content.close(tag);
    if (closed.kind === undefined && hiddenBy(closed.state) === undefined) this.#visible.close(tag);
  }

  #onText(data: string): void {
    const within = this.#open.at(-1);
    if (within?.kind !== undefined) {
      this.#gathered.push(data);
      return;
    }
    const reason = within === undefined ? undefined : hiddenBy(within.state);
    if (within === undefined || !within.isDropped) this.#content.text(data);
    if (reason === undefined) this.#visible.text(data);
    else this.#gathered.push(data);
  }

  /** Adds the text collected since the last element that hides its text began or ended. */
  #flush(closed?: OpenElement): void {
    const text = this.#gathered.join('');
    this.#gathered = [];
    if (text.trim() === '') return;
    const kind = closed?.kind ?? this.#open.at(-1)?.kind ?? 'hidden';
    if (kind === 'script' || kind === 'style' || kind === 'json-ld') {
      if (kind === 'script') this.#scripts.push(text);
      readStrings(text, (literal) => {
        if (isProse(literal)) this.#texts.add(kind, literal);
      });
    } else this.#texts.add(kind, text.replaceAll(/\s+/g, ' '));
  }

  #stateOf(tag: string, attributes: Record<string, string>, parent: HiddenState): HiddenState {
    if (this.#computed === undefined) {
      return inheritState(parent, attributes, this.#sheet.declaredFor(tag, attributes));
    }
    const mark = attributes[this.#computed];
    delete attributes[this.#computed];
    return mark === undefined ? parent : computedState(tag, mark);
  }

  #isPreserved(reason: HiddenBy | undefined): boolean {
    return this.#computed === undefined ? isPreserved(reason) : reason === undefined;
  }

  #kindOf(tag: string, attributes: Readonly<Record<string, string>>): PageTextKind | undefined {
    if (tag === 'script' && /json/.test(attributes['type'] ?? '')) return 'json-ld';
    return SIDE.get(tag);
  }

  #readAttributes(tag: string, attributes: Readonly<Record<string, string>>): void {
    for (const name in attributes) this.#readAttribute(tag, name, attributes[name] ?? '');
    switch (tag) {
      case 'form':
        if (this.#forms.length < MAX_FORMS)
          this.#forms.push({ action: attributes['action'] ?? '', fields: [] });
        break;
      case 'input':
      case 'textarea':
      case 'select': {
        const fields = this.#forms.at(-1)?.fields;
        if (fields !== undefined && fields.length < MAX_FORMS)
          fields.push(`${attributes['type'] ?? 'text'}:${attributes['name'] ?? ''}`.toLowerCase());
        break;
      }
      case 'img':
      case 'iframe':
      case 'embed':
      case 'audio':
      case 'video':
      case 'source':
        this.#load(attributes['src']);
        break;
      default:
    }
  }

  #readAttribute(tag: string, name: string, value: string): void {
    if (name.startsWith('on')) {
      if (value !== '') this.#scripts.push(value);
    } else if (STRUCTURAL.has(name)) {
      if ((name === 'href' || name === 'src' || name === 'action') && /^\s*javascript:/i.test(value))
        this.#scripts.push(value);
      if (name === 'style' && value.includes('url(')) this.#load(/url\(\s*["']?([^"')]+)/.exec(value)?.[1]);
    } else if (isProse(value) && !/^data:(?:image|font|audio|video)\//i.test(value))
      this.#texts.add(tag === 'meta' ? 'meta' : 'attribute', value);
  }

  #load(address: string | undefined): void {
    if (address !== undefined && this.#loads.length < MAX_LOADS) this.#loads.push(address);
  }
}

/** Returns all styles before any element is read, because a page may declare them later. */
function styleText(html: string): string {
  const lower = html.toLowerCase();
  const parts: string[] = [];
  for (let at = lower.indexOf('<style'); at !== -1; at = lower.indexOf('<style', at)) {
    const start = lower.indexOf('>', at);
    if (start === -1) break;
    const end = lower.indexOf('</style', start);
    parts.push(html.slice(start + 1, end === -1 ? undefined : end));
    if (end === -1) break;
    at = end;
  }
  return parts.join('\n');
}
