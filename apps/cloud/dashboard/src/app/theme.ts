import { LOOK } from '@csg/shared/look';
import {
  Badge,
  Button,
  Card,
  createTheme,
  type MantineColorsTuple,
  Modal,
  Table,
  Tooltip,
} from '@mantine/core';

const shades = (list: readonly string[]) => list as unknown as MantineColorsTuple;

export const theme = createTheme({
  fontFamily: LOOK.fontFamily,
  fontFamilyMonospace: LOOK.fontFamilyMonospace,
  primaryColor: LOOK.primaryColor,
  primaryShade: LOOK.primaryShade,
  defaultRadius: LOOK.defaultRadius,
  autoContrast: true,
  respectReducedMotion: true,
  colors: { harbor: shades(LOOK.colors.harbor), dark: shades(LOOK.colors.dark) },
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.1rem' }, h3: { fontSize: '1rem' } },
  },
  components: {
    Badge: Badge.extend({
      defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 },
      // A word that is cut off says nothing.
      styles: { root: { minWidth: 'max-content' }, label: { overflow: 'visible' } },
    }),
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    Card: Card.extend({ defaultProps: { withBorder: true, padding: 'lg' } }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        overlayProps: { blur: 2 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontWeight: 600 } },
    }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'xs' } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300 } }),
  },
});
