import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newDirectory } from '@portage/testing/test-directory';
import { makePrivateDirectory } from './private-directory';

let parent: string;

beforeEach(() => {
  parent = newDirectory();
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it('a new private directory can be entered by its owner only, with its parents', () => {
  const directory = join(parent, 'first', 'second');
  makePrivateDirectory(directory);
  expect([modeOf(directory), modeOf(join(parent, 'first'))]).toEqual(['700', '700']);
});

it('an existing directory becomes private with its files and folders, and links are not followed', () => {
  const directory = join(parent, 'portage');
  const outside = join(parent, 'outside');
  writeFileSync(outside, '', { mode: 0o644 });
  mkdirSync(join(directory, 'documents'), { recursive: true, mode: 0o755 });
  writeFileSync(join(directory, 'api.log'), 'x', { mode: 0o644 });
  symlinkSync(outside, join(directory, 'link'));
  makePrivateDirectory(directory);
  expect(['', 'documents', 'api.log'].map((name) => modeOf(join(directory, name)))).toEqual([
    '700',
    '700',
    '600',
  ]);
  expect(modeOf(outside)).toBe('644');
});
