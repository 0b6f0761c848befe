import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { getDefaults, lexer, parser } from 'marked';
import { anchorOf, GuideRenderer, plainText } from './guide-renderer.ts';

export interface GuidePage {
  /** Name in the address, such as `quick-start`. */
  readonly name: string;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly GuideSection[];
}

/** The text under one heading. */
export interface GuideSection {
  readonly heading: string;
  readonly anchor: string;
  text: string;
}

export interface Guide {
  /** Grouped as in the index. */
  readonly groups: readonly { readonly title: string; readonly pages: readonly GuidePage[] }[];
  readonly pages: ReadonlyMap<string, GuidePage>;
}

const INDEX = 'README';

/** Reads the documentation as pages. Returns an empty guide if the folder does not exist. */
export async function readGuide(folder: string): Promise<Guide> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.md'));
  const names = files.map((file) => file.slice(0, -'.md'.length));
  const sources = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  const renderer = new GuideRenderer(new Set(names));
  const pages = new Map(names.map((name, index) => [name, readPage(renderer, name, sources[index]!)]));
  const index = sources[names.indexOf(INDEX)] ?? '';
  pages.delete(INDEX);
  const groups = [...index.matchAll(/^\*\*([^*]+):\*\*(.*)$/gm)].map(([, title = '', links = '']) => ({
    title,
    pages: [...links.matchAll(/\]\(([\w-]+)\.md\)/g)].flatMap(([, name = '']) => pages.get(name) ?? []),
  }));
  return { groups: groups.filter((group) => group.pages.length > 0), pages };
}

function readPage(renderer: GuideRenderer, name: string, source: string): GuidePage {
  const tokens = lexer(source);
  const sections: GuideSection[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      sections.push({ heading: plainText(token['text']), anchor: anchorOf(token['text']), text: '' });
    } else {
      const section = sections.at(-1);
      if (section !== undefined) section.text += `${plainText(token.raw)} `;
    }
  }
  return {
    name,
    title: sections[0]?.heading ?? name,
    html: parser(tokens, { ...getDefaults(), renderer }),
    sections,
  };
}
