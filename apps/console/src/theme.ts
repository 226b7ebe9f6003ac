import {
  convertCssVariables,
  createTheme,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  type MantineColorsTuple,
  mergeMantineTheme,
} from '@mantine/core';

const harbour: MantineColorsTuple = [
  '#e6f4f8',
  '#cfe6ee',
  '#a1cede',
  '#6fb4cd',
  '#479dbe',
  '#2f8fb5',
  '#1c7ea3',
  '#0b6481',
  '#0a5a75',
  '#084f67',
];

const red: MantineColorsTuple = [
  '#fdeaea',
  '#f9d2d3',
  '#f0a6a8',
  '#e8777b',
  '#e05055',
  '#db383e',
  '#cc2b32',
  '#b3202a',
  '#9f1b25',
  '#87141d',
];

export const theme = createTheme({
  primaryColor: 'harbour',
  primaryShade: { light: 7, dark: 7 },
  colors: { harbour, red },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  components: {
    Button: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'sm' } },
    // The page behind a dialog keeps its scroll bar: locking it needs a style element, which the policy forbids.
    Modal: {
      defaultProps: { lockScroll: false, centered: true, closeButtonProps: { 'aria-label': 'Close' } },
    },
    Menu: { defaultProps: { withinPortal: true } },
  },
});

/**
 * Applies the variables of the theme as a constructed style sheet. Mantine would add a style element, which the
 * Content-Security-Policy refuses.
 */
export function applyThemeVariables(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    convertCssVariables(defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme))),
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
