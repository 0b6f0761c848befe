/** Declarations in a page's own styles of properties that can hide text. */
export type Declared = ReadonlyMap<string, string>;

export const HIDDEN_BY = [
  'display',
  'visibility',
  'opacity',
  'font size',
  'zero size',
  'off screen',
  'clip',
  'same colour',
  'hidden attribute',
  'aria-hidden',
] as const;
export type HiddenBy = (typeof HIDDEN_BY)[number];

/** Text shifted by at least this many pixels to the left or top counts as off screen. */
const FAR = 900;
/** Sum of the differences in red, green and blue that no reader can see. */
const SAME_COLOR = 24;

/** Returns how a declaration hides an element and its content; color and visibility are evaluated separately. */
export function hiddenByStyle(style: Declared): HiddenBy | undefined {
  const get = (name: string) => style.get(name) ?? '';
  return hiddenByPainting(get) ?? hiddenBySize(get) ?? (isOffScreen(get) ? 'off screen' : undefined);
}

/** Returns the declared value of a property; empty if there is none. */
type Value = (name: string) => string;

function hiddenByPainting(get: Value): HiddenBy | undefined {
  if (/^none\b/.test(get('display'))) return 'display';
  if (/^hidden\b/.test(get('content-visibility'))) return 'display';
  const opacity = get('opacity');
  if (opacity !== '' && Number.parseFloat(opacity) <= 0.05) return 'opacity';
  if (/\bopacity\(\s*0(?:\.0+)?%?\s*\)/.test(get('filter'))) return 'opacity';
  return undefined;
}

function hiddenBySize(get: Value): HiddenBy | undefined {
  const font = get('font-size') || (/(?:^|\s)(0(?:px|pt|em|rem|%)?)(?:\/|\s)/.exec(get('font'))?.[1] ?? '');
  if (font !== '' && isTiny(font)) return 'font size';
  if (/\bscale(?:3d|x|y)?\(\s*0(?:\.0+)?\s*[,)]/.test(get('transform'))) return 'zero size';
  const clip = `${get('clip')} ${get('clip-path')}`;
  if (/rect\(\s*(?:0|1)(?:px)?[\s,]+(?:0|1)|inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0/.test(clip))
    return 'clip';
  if (/hidden|clip/.test(get('overflow')) && (isTiny(get('width'), 1) || isTiny(get('height'), 1)))
    return 'zero size';
  if (isTiny(get('max-height'), 1) && /hidden|clip/.test(get('overflow'))) return 'zero size';
  return undefined;
}

function isOffScreen(get: Value): boolean {
  const position = get('position');
  const isAnyFar = (...names: readonly string[]): boolean => names.some((name) => isFar(get(name)));
  if (/absolute|fixed/.test(position) && isAnyFar('left', 'top', 'right', 'bottom')) return true;
  if (/relative/.test(position) && isAnyFar('left', 'top')) return true;
  if (isAnyFar('text-indent', 'margin-left', 'margin-top')) return true;
  return /translate(?:x|y|3d)?\(\s*-\d{4,}/.test(get('transform'));
}

/** `null`: not declared. */
export function visibilityOf(style: Declared): boolean | null {
  const value = style.get('visibility');
  return value === undefined || value === 'inherit' ? null : !/^(?:hidden|collapse)\b/.test(value);
}

/** Red, green and blue; `transparent` is invisible on any background. */
export type Color = readonly [number, number, number] | 'transparent';

export function isSameColor(text: Color, ground: Color): boolean {
  if (text === 'transparent') return true;
  if (ground === 'transparent') return false;
  const distance = text.reduce((sum, part, i) => sum + Math.abs(part - (ground[i] ?? 0)), 0);
  return distance <= SAME_COLOR;
}

const NAMED: Readonly<Record<string, Color>> = {
  white: [255, 255, 255],
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
  black: [0, 0, 0],
  transparent: 'transparent',
};

/** Returns the first color in a value; undefined if it has no known color. */
export function readColor(value: string | undefined): Color | undefined {
  if (value === undefined) return undefined;
  const hex = /#([0-9a-f]{3,8})\b/.exec(value)?.[1];
  if (hex !== undefined) {
    const long = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
    if (long.length === 8 && long.endsWith('00')) return 'transparent';
    return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16)) as [number, number, number];
  }
  const parts = /rgba?\(([^)]{1,60})\)/.exec(value)?.[1]?.split(/[\s,/]+/);
  if (parts !== undefined && parts.length >= 3) {
    if (parts[3] !== undefined && Number.parseFloat(parts[3]) <= 0.05) return 'transparent';
    return [0, 1, 2].map((at) => Number.parseFloat(parts[at] ?? '0')) as [number, number, number];
  }
  for (const word of value.split(/\s+/)) if (Object.hasOwn(NAMED, word)) return NAMED[word];
  return undefined;
}

/** At most `max` pixels or points, or 0.02 in relative units. */
function isTiny(value: string, max = 0.99): boolean {
  if (value === '') return false;
  const number = Number.parseFloat(value);
  if (Number.isNaN(number) || number < 0) return false;
  return /^[\d.]+\s*(?:em|rem|vw|vh|%)/.test(value) ? number <= 0.02 : number <= max;
}

function isFar(value: string): boolean {
  const number = Number.parseFloat(value);
  if (Number.isNaN(number)) return false;
  return /em|vw|vh|%/.test(value) ? number <= -60 : number <= -FAR;
}
