import { RuleTester } from 'eslint';
import { refusedWordsOfPage } from '../../scripts/lint/pages.mjs';
import plainWords from '../../scripts/lint/plain-words.mjs';

const { 'plain-words': rule } = plainWords.rules;
const refused = [{ messageId: 'refused' }];

describe('The lint rule plain-words', () => {
  new RuleTester().run('plain-words', rule, {
    valid: [
      '// Retries the item after a backoff.',
      "it('answers 404 for an unknown account', () => {});",
      '// Runs as the user `nobody`.',
      // Only titles of tests are sentences; other texts are data.
      "send('nobody');",
    ],
    invalid: [
      { code: '// Nobody waits for the queue.', errors: refused },
      { code: '/** What is in the way of the goal. */', errors: refused },
      { code: "it('tells whoever asks', () => {});", errors: refused },
      { code: "it.each([1])('lest it fails %s', () => {});", errors: refused },
      { code: 'describe(`somebody ${1}`, () => {});', errors: refused },
    ],
  });
});

describe('The check of pages', () => {
  it('refuses the same words in sentences, with their lines', () => {
    const page = '# Queues\n\nNobody waits.\n\n| a table | for whoever reads |\n';
    expect(refusedWordsOfPage(page).map(({ line, word }) => [line, word])).toEqual([
      [3, 'Nobody'],
      [5, 'whoever'],
    ]);
  });

  it('leaves code, comments and the targets of links alone', () => {
    const page = [
      '```sh',
      'su nobody',
      '```',
      'Runs as `nobody`. See [the user](users.md#nobody).',
      '<!-- lest -->',
    ];
    expect(refusedWordsOfPage(page.join('\n'))).toEqual([]);
  });
});
