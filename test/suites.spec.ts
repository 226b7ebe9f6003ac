import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { REPOSITORY } from '@portage/testing';

const FOLDERS = ['apps', 'bench', 'deploy', 'docs', 'examples', 'libs', 'packages', 'scripts', 'test'];
const suites = FOLDERS.flatMap((folder) =>
  readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /(spec|\.test)\.[cm]?tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path)),
);

it('jest runs each suite of the repository', () => {
  const jest = join(REPOSITORY, 'node_modules', 'jest', 'bin', 'jest.js');
  const listed = execFileSync(process.execPath, [jest, '--listTests'], { cwd: REPOSITORY, encoding: 'utf8' });
  const run = new Set(listed.split('\n').map((path) => relative(REPOSITORY, path)));
  expect(suites.length).toBeGreaterThan(300);
  expect(suites.filter((path) => !run.has(path))).toEqual([]);
});

it('each suite has a case that no setting skips', () => {
  const isConditional = (path: string) =>
    !/^\s*(it|test)(\.each|\.for)?[(<`]/m.test(readFileSync(join(REPOSITORY, path), 'utf8'));
  expect(suites.filter(isConditional)).toEqual([]);
});
