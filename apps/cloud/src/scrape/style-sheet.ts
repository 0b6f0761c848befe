import { type CssNode, ident, parse, type Rule, type Selector } from 'css-tree';
import type { Declared } from './declared-style.ts';

/** Styles beyond this size are ignored: the texts are read as visible. */
const MAX_SHEET_CHARACTERS = 1_000_000;
const MAX_RULES = 20_000;
const MAX_INLINE_CHARACTERS = 4_000;
const MAX_CLASSES = 50;
const MAX_CACHED = 10_000;

const RELEVANT = new Set(
  (
    'display visibility opacity filter font font-size transform clip clip-path overflow width height max-height ' +
    'position left top right bottom text-indent margin-left margin-top color background background-color ' +
    'content-visibility'
  ).split(' '),
);

interface StyleRule {
  readonly tag: string | undefined;
  readonly id: string | undefined;
  readonly classes: readonly string[];
  readonly declared: Declared;
}

export interface StyleSheet {
  /** Declarations for an element from the page's styles and its own; later ones win. Undefined: none. */
  declaredFor(tag: string, attributes: Readonly<Record<string, string>>): Declared | undefined;
}

/** Supports selectors of one simple step (`p.note#x`); others are not applied, so that no text gets lost. */
export function readStyleSheet(css: string): StyleSheet {
  const rules = new Map<string, StyleRule[]>();
  let count = 0;
  const addRule = (rule: StyleRule) => {
    if (count++ >= MAX_RULES) return;
    const last = rule.classes.at(-1);
    const key = rule.id !== undefined ? `#${rule.id}` : last !== undefined ? `.${last}` : (rule.tag ?? '*');
    rules.set(key, [...(rules.get(key) ?? []).slice(-100), rule]);
  };
  for (const node of topNodes(css.slice(0, MAX_SHEET_CHARACTERS))) readNode(node, addRule);
  const inline = new Map<string, Declared>();

  function readInline(style: string): Declared {
    const known = inline.get(style);
    if (known !== undefined) return known;
    const read = readDeclarations(style.slice(0, MAX_INLINE_CHARACTERS));
    if (inline.size < MAX_CACHED) inline.set(style, read);
    return read;
  }

  return {
    declaredFor(tag, attributes) {
      const own = attributes['style'];
      if (count === 0) return own === undefined ? undefined : readInline(own);
      const declared = declaredByRules(rules, tag, attributes);
      if (own === undefined) return declared;
      return declared === undefined ? readInline(own) : new Map([...declared, ...readInline(own)]);
    },
  };
}

/** undefined: no rule matches the element. */
function declaredByRules(
  rules: ReadonlyMap<string, readonly StyleRule[]>,
  tag: string,
  attributes: Readonly<Record<string, string>>,
): Declared | undefined {
  const classes = new Set((attributes['class'] ?? '').slice(0, 2_000).split(/\s+/, MAX_CLASSES));
  const keys = [tag, ...[...classes].map((name) => `.${name}`), `#${attributes['id'] ?? ''}`];
  let declared: Map<string, string> | undefined;
  for (const rule of keys.flatMap((key) => rules.get(key) ?? [])) {
    if (!matches(rule, tag, attributes['id'], classes)) continue;
    declared ??= new Map();
    for (const [name, value] of rule.declared) declared.set(name, value);
  }
  return declared;
}

function matches(
  rule: StyleRule,
  tag: string,
  id: string | undefined,
  classes: ReadonlySet<string>,
): boolean {
  if (rule.tag !== undefined && rule.tag !== tag && rule.tag !== '*') return false;
  if (rule.id !== undefined && rule.id !== id) return false;
  return rule.classes.every((name) => classes.has(name));
}

function topNodes(css: string): CssNode[] {
  if (css.trim() === '') return [];
  try {
    const sheet = parse(css, { parseValue: false, parseAtrulePrelude: false, parseCustomProperty: false });
    return sheet.type === 'StyleSheet' ? sheet.children.toArray() : [];
  } catch {
    // Nested too deeply for the parser: then nothing is known to be hidden.
    return [];
  }
}

function readNode(node: CssNode, addRule: (rule: StyleRule) => void): void {
  if (node.type === 'Atrule') {
    const prelude = node.prelude?.type === 'Raw' ? node.prelude.value.trim().toLowerCase() : '';
    const applies = node.name === 'layer' || (node.name === 'media' && /^(?:all|screen|)$/.test(prelude));
    if (applies) for (const child of node.block?.children.toArray() ?? []) readNode(child, addRule);
    return;
  }
  if (node.type === 'Rule') readRule(node, addRule);
}

function readRule(rule: Rule, addRule: (rule: StyleRule) => void): void {
  if (rule.prelude.type !== 'SelectorList') return;
  const declared = new Map<string, string>();
  rule.block.children.forEach((node) => {
    if (node.type === 'Declaration') readDeclaration(node.property, node.value, declared);
  });
  if (declared.size === 0) return;
  rule.prelude.children.forEach((selector) => {
    const simple = selector.type === 'Selector' ? readSelector(selector) : undefined;
    if (simple !== undefined) addRule({ ...simple, declared });
  });
}

function readSelector(selector: Selector): Omit<StyleRule, 'declared'> | undefined {
  let [tag, id]: (string | undefined)[] = [];
  const classes: string[] = [];
  for (const part of selector.children.toArray()) {
    if (part.type === 'TypeSelector') tag = part.name.toLowerCase();
    else if (part.type === 'IdSelector') id = ident.decode(part.name);
    else if (part.type === 'ClassSelector') classes.push(ident.decode(part.name));
    else return undefined;
  }
  return { tag, id, classes };
}

function readDeclarations(style: string): Declared {
  const declared = new Map<string, string>();
  try {
    const list = parse(style, { context: 'declarationList', parseValue: false });
    if (list.type !== 'DeclarationList') return declared;
    list.children.forEach((node) => {
      if (node.type === 'Declaration') readDeclaration(node.property, node.value, declared);
    });
  } catch {
    // The same as for sheets.
  }
  return declared;
}

function readDeclaration(property: string, value: CssNode, into: Map<string, string>): void {
  const name = ident.decode(property).toLowerCase();
  if (!RELEVANT.has(name) || value.type !== 'Raw') return;
  const text = value.value.replace(/\/\*[^*]*\*\//g, '').slice(0, 300);
  into.set(name, (text.includes('\\') ? ident.decode(text) : text).trim().toLowerCase());
}
