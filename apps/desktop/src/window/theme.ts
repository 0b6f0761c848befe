import { THEME_TOKENS } from '@csg/shared/theme';
import { Badge, Card, createTheme, type MantineColorsTuple } from '@mantine/core';

const shades = (list: readonly string[]) => list as unknown as MantineColorsTuple;

export const theme = createTheme({
  fontFamily: THEME_TOKENS.fontFamily,
  fontFamilyMonospace: THEME_TOKENS.fontFamilyMonospace,
  primaryColor: THEME_TOKENS.primaryColor,
  primaryShade: THEME_TOKENS.primaryShade.light,
  defaultRadius: THEME_TOKENS.defaultRadius,
  autoContrast: true,
  respectReducedMotion: true,
  colors: { harbor: shades(THEME_TOKENS.colors.harbor), dark: shades(THEME_TOKENS.colors.dark) },
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.35rem' }, h2: { fontSize: '1rem' } } },
  components: {
    Badge: Badge.extend({ defaultProps: { variant: 'dot', radius: 'sm', tt: 'none', fw: 550 } }),
    Card: Card.extend({ defaultProps: { withBorder: true, padding: 'md' } }),
  },
});
