import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newDirectory } from '@portage/testing/test-directory';
import { problemsOf } from '@portage/testing/settings';
import { parseDatabaseUrl } from './database-url';

const problemOf = (DATABASE_URL: string) => problemsOf({ DATABASE_URL })['DATABASE_URL'];

describe('the URL of a database', () => {
  it.each([
    ['postgres://u:p@db/portage', ['postgres://u:p@db/portage'], 'any'],
    ['postgres:///portage?host=/run/pg', ['postgres:///portage?host=/run/pg'], 'any'],
    [
      'postgres://u:p@one:5432,two:5433/portage?sslmode=verify-full',
      [
        'postgres://u:p@one:5432/portage?sslmode=verify-full',
        'postgres://u:p@two:5433/portage?sslmode=verify-full',
      ],
      'read-write',
    ],
    [
      'postgresql://u@[::1]:5432,two/portage?target_session_attrs=primary&sslmode=disable',
      ['postgresql://u@[::1]:5432/portage?sslmode=disable', 'postgresql://u@two/portage?sslmode=disable'],
      'primary',
    ],
    ['postgres://db/portage?target_session_attrs=read-write', ['postgres://db/portage'], 'read-write'],
    [
      'postgres://one,two/portage?sslmode=disable&target_session_attrs=any',
      ['postgres://one/portage?sslmode=disable', 'postgres://two/portage?sslmode=disable'],
      'any',
    ],
    [
      'postgres://u:a%2Cb%40c@one,two/p',
      ['postgres://u:a%2Cb%40c@one/p', 'postgres://u:a%2Cb%40c@two/p'],
      'read-write',
    ],
  ])('%s has a URL for each host', (text, urls, targetSession) => {
    expect(parseDatabaseUrl(text)).toEqual({ urls, targetSession });
    expect(problemOf(text)).toBeUndefined();
  });

  const FORM = 'must be a URL that starts with postgres:// or postgresql://';
  const TARGETS = 'must have one of any, read-write, primary as target_session_attrs, once';
  it.each([
    ['mysql://db/portage', FORM],
    ['db', FORM],
    ['postgres://one:5432,two:port/portage', FORM],
    ['postgres://one:5432,,two/portage', 'must have a name in front of and behind each comma of its hosts'],
    ['postgres://one,:5432/portage', 'must have a name in front of and behind each comma of its hosts'],
    [
      'postgres://one,two/portage?host=three',
      'must name its hosts in one place, not also in the parameter host',
    ],
    ['postgres://one,two/portage?target_session_attrs=standby', TARGETS],
    ['postgres://one/portage?target_session_attrs=any&target_session_attrs=any', TARGETS],
    [
      'postgres://one/portage?sslmode=verify',
      'must have one of disable, no-verify, prefer, require, verify-ca, verify-full as sslmode',
    ],
    [
      'postgres://one/portage?sslmode=verify-full&sslrootcert=/no/such/ca.pem',
      'must have a file that this program can read as sslrootcert',
    ],
  ])('%s is refused', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it('may name a certificate authority that can be read', () => {
    const directory = newDirectory();
    writeFileSync(join(directory, 'ca.pem'), '');
    expect(
      problemOf(`postgres://one,two/p?sslmode=verify-full&sslrootcert=${directory}/ca.pem`),
    ).toBeUndefined();
  });
});
