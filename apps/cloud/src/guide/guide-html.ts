import { escapeHtml, GUIDE } from './guide-renderer.ts';
import type { Guide, GuidePage } from './read-guide.ts';
import type { GuideMatch } from './search-guide.ts';

export function pageHtml(guide: Guide, page: GuidePage): string {
  return frame(guide, page.title, page.html, page.name);
}

/** The way from nothing to a protected company, in this order. */
const FIRST_STEPS = ['quick-start', 'accounts', 'clients', 'policies', 'devices', 'deployment'];

export function indexHtml(guide: Guide): string {
  const steps = FIRST_STEPS.flatMap((name) => guide.pages.get(name) ?? []);
  const path = `<h2>First steps</h2><ol>${steps.map((page) => `<li>${linkTo(page)}</li>`).join('')}</ol>`;
  const groups = guide.groups.map(
    ({ title, pages }) =>
      `<h2>${escapeHtml(title)}</h2><ul>${pages.map((page) => `<li>${linkTo(page)}</li>`).join('')}</ul>`,
  );
  const body =
    groups.length === 0
      ? '<p>The documentation is not part of this installation.</p>'
      : path + groups.join('');
  // The page is the list of all pages, so it has no other beside it.
  return frame({ ...guide, groups: [] }, 'Documentation', `<h1>Documentation</h1>${body}`);
}

export function searchHtml(guide: Guide, query: string, matches: readonly GuideMatch[]): string {
  const list = matches.map(({ page, section, excerpt }) => {
    const name = section.heading === page.title ? page.title : `${page.title}: ${section.heading}`;
    const target = `${GUIDE}/${page.name}#${section.anchor}`;
    return `<li><a href="${escapeHtml(target)}">${escapeHtml(name)}</a><br>${escapeHtml(excerpt)}</li>`;
  });
  const body =
    list.length === 0
      ? '<p>No results. Search for fewer or other words.</p>'
      : `<ul class="results">${list.join('')}</ul>`;
  return frame(guide, 'Search', `<h1>Results for “${escapeHtml(query)}”</h1>${body}`, '', query);
}

export function missingHtml(guide: Guide): string {
  return frame(guide, 'Page not found', '<h1>Page not found</h1><p>Choose a page, or search.</p>');
}

function frame(guide: Guide, title: string, body: string, current = '', query = ''): string {
  const menu = guide.groups
    .map(({ title, pages }) => {
      const items = pages.map((page) => `<li>${linkTo(page, page.name === current)}</li>`);
      return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`;
    })
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Content Security Gateway</title>
<link rel="icon" href="/dashboard/icon.svg">
<link rel="stylesheet" href="${GUIDE}/guide.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="brand" href="${GUIDE}">Documentation</a>
<form action="${GUIDE}/search" role="search">
<input type="search" name="q" aria-label="Search the documentation" placeholder="Search" maxlength="200" value="${escapeHtml(query)}">
<button>Search</button>
</form>
<nav aria-label="Product"><a href="/dashboard/">Dashboard</a> <a href="/docs">API reference</a></nav>
</header>
<div class="${menu === '' ? 'columns whole' : 'columns'}">
${menu === '' ? '' : `<nav class="menu" aria-label="Documentation"><details open><summary>All pages</summary>${menu}</details></nav>`}
<main id="main" tabindex="-1">
${body}
</main>
</div>
</body>
</html>
`;
}

function linkTo({ name, title }: GuidePage, isCurrent = false): string {
  return `<a href="${GUIDE}/${name}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;
}
