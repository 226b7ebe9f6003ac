import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import plainWords from './scripts/lint/plain-words.mjs';

/** An array of one or two branches that a line writes out. */
const LITERAL_SPREAD =
  ":not([argument.type='ArrayExpression'], [argument.consequent.type='ArrayExpression'][argument.alternate.type='ArrayExpression'])";
const SPREAD_MESSAGE =
  'A spread of many members exceeds the call stack. Loop, or disable the rule for the line with the bound as reason.';

/** What source may not do anywhere. */
const RESTRICTED_SYNTAX = [
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'Only libs/platform/src/config reads the environment; inject the config instead.',
  },
  {
    selector: `CallExpression[callee.property.name=/^(push|unshift|splice|concat)$/] > SpreadElement.arguments${LITERAL_SPREAD}`,
    message: SPREAD_MESSAGE,
  },
  {
    selector: `CallExpression[callee.object.name=/^(Math|String)$/] > SpreadElement.arguments${LITERAL_SPREAD}`,
    message: SPREAD_MESSAGE,
  },
];

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'packages/client/{dist,src/generated}/**',
      'apps/console/src/api/generated.ts',
      'node_modules/**',
      '.portage/**',
      'coverage/**',
    ],
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked],
    plugins: { portage: plainWords },
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Nest modules are classes with nothing but a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // A template that prints a number says what it means.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      // Plain objects that satisfy a class's shape are how Nest, TypeORM and BullMQ take their options.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // There is no enum here, and to look for one in every expression takes a tenth of the time of types and lint.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // So are the classes of requests and answers, which have no methods that a spread could lose.
      '@typescript-eslint/no-misused-spread': [
        'error',
        {
          allow: [
            {
              from: 'file',
              name: [
                'AbortedSubmission',
                'CreateWebhookRequest',
                'ListedSubmissionView',
                'ProcessSummaryView',
                'ReferenceListSummary',
                'SubmissionCountsView',
                'SubmissionResult',
                'SubmissionSummaryView',
                'SubmissionView',
                'WebhookEndpointView',
              ],
            },
          ],
        },
      ],
      'no-console': 'error',
      'portage/plain-words': 'error',
      'no-restricted-syntax': ['error', ...RESTRICTED_SYNTAX],
    },
  },
  {
    // Text of suppliers and of the service reaches terminals through one module of each program, which escapes it.
    files: ['apps/{cli,importer,start}/**/*.ts'],
    ignores: [
      'apps/cli/src/standard-output.ts',
      'apps/importer/src/terminal.ts',
      'apps/start/src/progress.ts',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...RESTRICTED_SYNTAX,
        {
          selector: "CallExpression[callee.property.name='write'][callee.object.object.name='process']",
          message: 'Print through the module that escapes control characters.',
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.int-spec.ts', '**/*.e2e-spec.ts', 'test/**/*.ts', 'libs/testing/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  {
    // The console runs in browsers, where nothing of Node exists.
    files: ['apps/console/**/*.{ts,tsx}'],
    extends: [jsxA11y.flatConfigs.strict, reactHooks.configs.flat['recommended-latest']],
    languageOptions: {
      parserOptions: { project: './apps/console/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // A mutation of TanStack Query reports its errors itself.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    // Programs of suppliers, which have an environment of their own.
    files: ['examples/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    ignores: ['scripts/lint/plain-words.mjs'],
    plugins: { portage: plainWords },
    rules: { 'portage/plain-words': 'error' },
  },
);
