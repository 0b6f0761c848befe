/** The used part of the DOM; this function runs in an isolated world of the page. */
interface Style {
  readonly [property: string]: string;
}
interface PageElement {
  readonly nodeType: number;
  readonly tagName: string;
  readonly childNodes: Iterable<PageElement>;
  readonly shadowRoot: (PageElement & { append(...nodes: unknown[]): void }) | null;
  readonly textContent: string | null;
  setAttribute(name: string, value: string): void;
  append(...nodes: unknown[]): void;
  getBoundingClientRect(): { width: number; height: number; right: number; bottom: number };
}
interface PageWindow {
  readonly scrollX: number;
  readonly scrollY: number;
  readonly document: {
    readonly documentElement: (PageElement & { readonly outerHTML: string }) | null;
    createElement(name: string): PageElement;
  };
  getComputedStyle(element: PageElement): Style;
}

/**
 * Writes on every element why its rendered text is hidden from people, and returns the page's HTML. Shadow trees
 * become part of their host. Must be self-contained, because its source is sent to the browser.
 */
export function markHidden(attribute: string, maxElements: number): string {
  const view = globalThis as unknown as PageWindow;
  const { document } = view;
  const hosts: PageElement[] = [];
  let left = maxElements;
  const alphaOf = (color: string): number => {
    const parts = color.match(/[\d.]+/g) ?? [];
    return parts.length > 3 ? Number(parts[3]) : 1;
  };
  const near = (a: string, b: string): boolean => {
    const [x, y] = [a.match(/[\d.]+/g) ?? [], b.match(/[\d.]+/g) ?? []];
    let distance = 0;
    for (let i = 0; i < 3; i++) distance += Math.abs(Number(x[i] ?? 0) - Number(y[i] ?? 0));
    return distance <= 24;
  };
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: its source is sent to the browser, with nothing from outside of it
  const walk = (element: PageElement, inherited: string, opacity: number, ground: string): void => {
    if (left-- <= 0) return;
    const style = view.getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const read = (name: string): string => style[name] ?? '';
    const seen = opacity * Number(read('opacity') || 1);
    const own = read('backgroundColor');
    const isPainted = alphaOf(own) > 0.05;
    const under = read('backgroundImage') !== 'none' ? '' : isPainted ? own : ground;
    let passed = inherited;
    if (passed === '') {
      const clip = `${read('clip')} ${read('clipPath')}`;
      const isCut = /hidden|clip/.test(read('overflow')) && (box.width <= 1 || box.height <= 1);
      if (read('display') === 'none' || read('contentVisibility') === 'hidden') passed = 'display';
      else if (seen <= 0.05) passed = 'opacity';
      else if (/inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0|rect\(\s*[01]px[ ,]+[01]/.test(clip))
        passed = 'clip';
      else if (isCut) passed = 'zero size';
    }
    let why = passed;
    if (why === '') {
      const isGradientText = read('webkitBackgroundClip') === 'text' || read('backgroundClip') === 'text';
      const ink = read('webkitTextFillColor') || read('color');
      if (/hidden|collapse/.test(read('visibility'))) why = 'visibility';
      else if (Number.parseFloat(read('fontSize')) < 1) why = 'font size';
      else if (read('display') !== 'contents' && box.width > 0) {
        const isOff = box.right + view.scrollX <= 0 || box.bottom + view.scrollY <= 0;
        if (isOff || Number.parseFloat(read('textIndent')) < -900) why = 'off screen';
      }
      if (why === '' && !isGradientText) {
        if (alphaOf(ink) <= 0.05 || (under !== '' && near(ink, under))) why = 'same colour';
      }
    }
    element.setAttribute(attribute, why);
    for (const root of [element, element.shadowRoot]) {
      for (const child of root?.childNodes ?? []) if (child.nodeType === 1) walk(child, passed, seen, under);
    }
    if (element.shadowRoot !== null) hosts.push(element);
  };
  const top = document.documentElement;
  if (top === null) return '';
  walk(top, '', 1, 'rgb(255, 255, 255)');
  for (const host of hosts) {
    const shown = document.createElement('div');
    shown.setAttribute(attribute, '');
    shown.append(...(host.shadowRoot?.childNodes ?? []));
    host.append(shown);
  }
  return `<!doctype html>${top.outerHTML}`;
}
