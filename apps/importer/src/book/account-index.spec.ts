import { AccountIndex } from './account-index';
import { type BookItem, parserOf } from './book-line';

const account = (line: number, number: string, more: object = {}) =>
  parserOf('accounts')(
    {
      number: line,
      text: JSON.stringify({ import_supplier: 'S', external_account_number: number, ...more }),
    },
    1000,
  ) as BookItem;

it('finds equal and different lines among many accounts, whatever their distance', () => {
  const index = new AccountIndex(false);
  const count = 20_000;
  for (let line = 1; line <= count; line += 1) index.add(account(line, `A${line}`));
  for (let line = 1; line <= count; line += 1)
    index.add(account(count + line, `A${line}`, line % 3 === 0 ? { changed: line } : {}));
  index.finish();
  const roles = { sent: 0, repeated: 0, conflicting: 0, superseded: 0 };
  for (let line = 1; line <= 2 * count; line += 1) roles[index.roleOf(line)] += 1;
  const changed = Math.floor(count / 3);
  expect(roles).toEqual({
    sent: count - changed,
    repeated: count - changed,
    conflicting: 2 * changed,
    superseded: 0,
  });
  expect(index.linesOf(count + 3)).toEqual({ first: 3, last: count + 3 });
});

it('takes different task_params for a difference, and a payload with nothing beside it for an equal line', () => {
  const index = new AccountIndex(false);
  const wrapped = (line: number, number: string, taskParams?: object) => {
    const payload = { import_supplier: 'S', external_account_number: number };
    const text = JSON.stringify({ payload, task_params: taskParams });
    index.add(parserOf('accounts')({ number: line, text }, 1000) as BookItem);
  };
  index.add(account(1, '1'));
  wrapped(2, '1', { is_dry_run: true });
  index.add(account(3, '2'));
  wrapped(4, '2');
  expect([1, 2, 3, 4].map((line) => index.roleOf(line))).toEqual([
    'conflicting',
    'conflicting',
    'sent',
    'repeated',
  ]);
  expect(index.conflictOf(2).detail).toContain('the first is line 1, the last is line 2');
});

it('tells suppliers apart, trims account numbers, and leaves lines without one to the service', () => {
  const index = new AccountIndex(true);
  index.add(account(1, '7'));
  index.add(account(2, '7', { import_supplier: 'T' }));
  index.add(account(3, ''));
  index.add(account(4, '', { other: 1 }));
  index.add(account(5, ' 7 '));
  expect([1, 2, 3, 4, 5].map((line) => index.roleOf(line))).toEqual([
    'superseded',
    'sent',
    'sent',
    'sent',
    'sent',
  ]);
});
