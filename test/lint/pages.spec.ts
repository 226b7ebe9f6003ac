import { refusedWordsOfPage } from '../../scripts/lint/pages.mjs';

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
