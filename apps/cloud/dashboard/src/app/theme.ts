import { THEME_TOKENS } from '@csg/shared/theme';
import {
  Badge,
  Button,
  Card,
  createTheme,
  type MantineColorsTuple,
  Modal,
  PasswordInput,
  Table,
  Tooltip,
} from '@mantine/core';

const shades = (list: readonly string[]) => list as unknown as MantineColorsTuple;

export const theme = createTheme({
  fontFamily: THEME_TOKENS.fontFamily,
  fontFamilyMonospace: THEME_TOKENS.fontFamilyMonospace,
  primaryColor: THEME_TOKENS.primaryColor,
  primaryShade: THEME_TOKENS.primaryShade,
  defaultRadius: THEME_TOKENS.defaultRadius,
  autoContrast: true,
  respectReducedMotion: true,
  colors: { harbor: shades(THEME_TOKENS.colors.harbor), dark: shades(THEME_TOKENS.colors.dark) },
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.1rem' }, h3: { fontSize: '1rem' } },
  },
  components: {
    Badge: Badge.extend({
      defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 },
      // A truncated label is useless.
      styles: { root: { minWidth: 'max-content' }, label: { overflow: 'visible' } },
    }),
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    PasswordInput: PasswordInput.extend({
      // Mantine leaves it out of the tab order.
      defaultProps: { visibilityToggleButtonProps: { tabIndex: 0, 'aria-label': 'Show password' } },
    }),
    Card: Card.extend({ defaultProps: { withBorder: true, padding: 'lg' } }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontWeight: 600 } },
    }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'xs' } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300 } }),
  },
});
