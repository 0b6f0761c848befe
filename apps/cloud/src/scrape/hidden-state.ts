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

/** What an element inherits that decides whether people see its text. */
export interface HiddenState {
  /** Set where the element and all in it cannot be seen. */
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
  // What was hidden stays hidden, whichever rule hid it first; a stronger reason replaces those that people can still see.
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

/** Browsers show none of these in the page itself, and people see a title all the same. */
const NEVER_LAID_OUT = new Set(['html', 'head', 'title', 'meta', 'link', 'base', 'style', 'script']);

/** What a browser found: a reason, or nothing where the text is seen. Other words than ours count as hidden. */
export function computedState(tag: string, mark: string): HiddenState {
  if (mark === '' || NEVER_LAID_OUT.has(tag)) return SHOWN;
  return { ...SHOWN, hiddenBy: HIDDEN_BY.find((reason) => reason === mark) ?? 'display' };
}

/** Why the text right in this element is not seen; undefined where it is. */
export function hiddenBy(state: HiddenState): HiddenBy | undefined {
  if (state.hiddenBy !== undefined) return state.hiddenBy;
  if (!state.isVisible) return 'visibility';
  return state.color !== undefined && isSameColor(state.color, state.ground) ? 'same colour' : undefined;
}

/** Left in what is handed over: `aria-hidden` text is seen, and colours are only guessed at without a browser. */
export function isPreserved(reason: HiddenBy | undefined): boolean {
  return reason === undefined || reason === 'aria-hidden' || reason === 'same colour';
}
