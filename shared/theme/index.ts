/**
 * Design tokens of all windows as plain data: colors, fonts, radius. The dashboard and the desktop window pass them to
 * their component library, which this module does not know.
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
    /** The brand color. */
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
    /** Surfaces of the dark theme, from text to background. */
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

/** Colors of decisions, as names of the component library's palette. */
export const DECISION_COLORS = { allow: 'teal', monitor: 'blue', redact: 'yellow', block: 'red' } as const;
