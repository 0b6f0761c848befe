import {
  type Color,
  type Declared,
  HIDDEN_BY,
  type HiddenBy,
  hiddenByStyle,
  isSameColor,
  readColor,
  visibilityOf,
} from './declared-style.ts';

/** Inherited state of an element that determines whether people see its text. */
export interface HiddenState {
  /** Set if the element and its content cannot be seen. */
  readonly hiddenBy: HiddenBy | undefined;
  readonly isVisible: boolean;
  readonly color: Color | undefined;
  readonly ground: Color;
}

export const SHOWN: HiddenState = {
  hiddenBy: undefined,
  isVisible: true,
  color: undefined,
  ground: [255, 255, 255],
};

export function inheritState(
  parent: HiddenState,
  attributes: Readonly<Record<string, string>>,
  style: Declared | undefined,
): HiddenState {
  const byAttribute = hiddenByAttribute(attributes);
  if (style === undefined && byAttribute === undefined && attributes['color'] === undefined) return parent;
  const declared: Declared = style ?? new Map();
  const color = readColor(declared.get('color') ?? attributes['color']?.toLowerCase()) ?? parent.color;
  const ground = readColor(declared.get('background-color') ?? declared.get('background')) ?? parent.ground;
  // The first reason for hiding is kept; a stronger reason replaces one that leaves text visible to people.
  const own = hiddenByStyle(declared) ?? byAttribute;
  return {
    hiddenBy:
      parent.hiddenBy === undefined || parent.hiddenBy === 'aria-hidden'
        ? (own ?? parent.hiddenBy)
        : parent.hiddenBy,
    isVisible: visibilityOf(declared) ?? parent.isVisible,
    color,
    ground: ground === 'transparent' ? parent.ground : ground,
  };
}

function hiddenByAttribute(attributes: Readonly<Record<string, string>>): HiddenBy | undefined {
  const hidden = attributes['hidden'];
  if (hidden !== undefined && hidden !== 'until-found') return 'hidden attribute';
  return attributes['aria-hidden'] === 'true' ? 'aria-hidden' : undefined;
}

/** Browsers do not render these in the page itself, and people still see the title. */
const NEVER_LAID_OUT = new Set(['html', 'head', 'title', 'meta', 'link', 'base', 'style', 'script']);

/** Returns the state a browser found: a reason, or none if the text is visible. Unknown reasons count as hidden. */
export function computedState(tag: string, mark: string): HiddenState {
  if (mark === '' || NEVER_LAID_OUT.has(tag)) return SHOWN;
  return { ...SHOWN, hiddenBy: HIDDEN_BY.find((reason) => reason === mark) ?? 'display' };
}

/** Returns why the text directly in this element is hidden; undefined if it is visible. */
export function hiddenBy(state: HiddenState): HiddenBy | undefined {
  if (state.hiddenBy !== undefined) return state.hiddenBy;
  if (!state.isVisible) return 'visibility';
  return state.color !== undefined && isSameColor(state.color, state.ground) ? 'same colour' : undefined;
}

/** Kept in the output: `aria-hidden` text is visible, and colors are only guessed without a browser. */
export function isPreserved(reason: HiddenBy | undefined): boolean {
  return reason === undefined || reason === 'aria-hidden' || reason === 'same colour';
}
