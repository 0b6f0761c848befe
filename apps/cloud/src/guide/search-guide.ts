import type { Guide, GuidePage, GuideSection } from './read-guide.ts';

export interface GuideMatch {
  readonly page: GuidePage;
  readonly section: GuideSection;
  readonly excerpt: string;
}

const MAX_MATCHES = 30;
const MAX_WORDS = 10;
const EXCERPT = 200;

/** Returns the sections that contain every word; matches in headings come first. */
export function searchGuide({ pages }: Guide, query: string): readonly GuideMatch[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const found: (GuideMatch & { readonly score: number })[] = [];
  for (const page of pages.values()) {
    for (const section of page.sections) {
      const heading = `${page.title} ${section.heading}`.toLowerCase();
      const text = section.text.toLowerCase();
      if (!words.every((word) => heading.includes(word) || text.includes(word))) continue;
      const score = words.filter((word) => heading.includes(word)).length;
      found.push({ page, section, excerpt: excerptOf(section.text, words), score });
    }
  }
  return found.sort((a, b) => b.score - a.score).slice(0, MAX_MATCHES);
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).filter((one) => one >= 0)));
  const start = Number.isFinite(at) ? Math.max(0, at - EXCERPT / 4) : 0;
  const cut = text.slice(start, start + EXCERPT).trim();
  return `${start > 0 ? '… ' : ''}${cut}${start + EXCERPT < text.length ? ' …' : ''}`;
}
