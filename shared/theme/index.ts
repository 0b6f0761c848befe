/**
 * How every window of the product looks, as plain data: colours, type, corners. The dashboard and the desktop's window
 * hand it to their component library; nothing here knows that library.
 */

/** Ten shades, lightest first. */
export type Shades = readonly [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

export const THEME_TOKENS = {
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  primaryColor: 'harbor',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  colors: {
    /** Ours: a quiet blue. */
    harbor: [
      '#eef4fb',
      '#d9e6f5',
      '#b3cdeb',
      '#89b1e0',
      '#6699d6',
      '#4d88cf',
      '#3a79c6',
      '#2a64ab',
      '#1f5395',
      '#143f77',
    ] satisfies Shades,
    /** The dark scheme's surfaces: text first, deepest ground last. */
    dark: [
      '#d3d8df',
      '#b2bac5',
      '#8f99a8',
      '#667081',
      '#414a59',
      '#333b48',
      '#262d38',
      '#1b212a',
      '#151a21',
      '#0f1318',
    ] satisfies Shades,
  },
} as const;

/** What a decision, and a device's state, is drawn in; names of the library's own colours. */
export const DECISION_COLORS = { allow: 'teal', monitor: 'blue', redact: 'yellow', block: 'red' } as const;
