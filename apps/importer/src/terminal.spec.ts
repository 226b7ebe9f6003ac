import { escapeForTerminal as escapeOfPortage } from '@portage/platform';
import { escapeForTerminal } from './terminal';

it('the importer escapes the same characters as Portage, whose code it does not import', () => {
  const different: number[] = [];
  for (let point = 0; point <= 0x10_ffff; point += 1) {
    const text = String.fromCodePoint(point);
    if (escapeForTerminal(text) !== escapeOfPortage(text)) different.push(point);
  }
  expect(different).toEqual([]);
  expect(escapeForTerminal('a\u001b]0;title\u0007\u009b2J\n\u202eb')).toBe(
    'a\\u001b]0;title\\u0007\\u009b2J\n\\u202eb',
  );
});
