import { LOOK } from '@csg/shared/look';
import { Badge, Card, createTheme, type MantineColorsTuple } from '@mantine/core';

const shades = (list: readonly string[]) => list as unknown as MantineColorsTuple;

export const theme = createTheme({
  fontFamily: LOOK.fontFamily,
  fontFamilyMonospace: LOOK.fontFamilyMonospace,
  primaryColor: LOOK.primaryColor,
  primaryShade: LOOK.primaryShade.light,
  defaultRadius: LOOK.defaultRadius,
  autoContrast: true,
  respectReducedMotion: true,
  colors: { harbor: shades(LOOK.colors.harbor), dark: shades(LOOK.colors.dark) },
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.35rem' }, h2: { fontSize: '1rem' } } },
  components: {
    Badge: Badge.extend({ defaultProps: { variant: 'dot', radius: 'sm', tt: 'none', fw: 550 } }),
    Card: Card.extend({ defaultProps: { withBorder: true, padding: 'md' } }),
  },
});
