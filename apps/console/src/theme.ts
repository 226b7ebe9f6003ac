import {
  colorsTuple,
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

const dark: MantineColorsTuple = [
  '#e6edf2',
  '#c9d3db',
  '#a9b6c2',
  '#6b7a88',
  '#28343e',
  '#202b34',
  '#1a232b',
  '#151d24',
  '#10171d',
  '#0d1318',
];

export const theme = createTheme({
  primaryColor: 'harbour',
  primaryShade: { light: 7, dark: 7 },
  colors: { dark, harbour, red: colorsTuple('#b3202a') },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  components: {
    Badge: { defaultProps: { tt: 'none', fw: 550 } },
    Button: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { autoComplete: 'off', spellCheck: false, withAsterisk: false } },
    Textarea: { defaultProps: { spellCheck: false, withAsterisk: false } },
    PasswordInput: {
      defaultProps: {
        required: true,
        withAsterisk: false,
        visibilityToggleButtonProps: { 'aria-label': 'Show the password' },
      },
    },
    // The page behind a dialog keeps its scroll bar: locking it needs a style element, which the policy forbids.
    Modal: {
      defaultProps: { lockScroll: false, centered: true, closeButtonProps: { 'aria-label': 'Close' } },
    },
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
