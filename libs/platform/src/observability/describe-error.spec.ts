import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { describeError } from './describe-error';

function databaseError(message: string, more: object = {}): DatabaseError {
  const error = new DatabaseError(message, message.length, 'error');
  return Object.assign(error, {
    severity: 'ERROR',
    code: '22007',
    detail: `Failing row: ${message}`,
    ...more,
  });
}

const PERSON = 'Maeve Aldous';
const fromDatabase = databaseError(`invalid input syntax for type date: "${PERSON}"`);

/** An error whose stack has its first message, and not the present one. */
function changedError(): DatabaseError {
  const error = databaseError(`v\n    at ${PERSON}`);
  expect(error.stack).toContain(PERSON);
  error.message = 'other';
  return error;
}

describe('a logged error', () => {
  it('has a name, a code, a message and stack frames', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(describeError(error)).toEqual({
      name: 'Error',
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED',
      at: expect.arrayContaining([expect.stringContaining('describe-error.spec.ts')]),
    });
  });

  it.each([
    ['itself', fromDatabase],
    ['as TypeORM wraps it', new QueryFailedError('SELECT $1', [PERSON], fromDatabase)],
    ['over several lines', databaseError(`value\n    at ${PERSON} (quoted)`)],
    [
      'as TypeORM wraps it, over several lines',
      new QueryFailedError('', [], databaseError(`v\n    at ${PERSON}`)),
    ],
    ['over several lines, with another message since', changedError()],
  ])('does not contain values that the database quotes from a row: %s', (_case, error) => {
    expect(JSON.stringify(describeError(error))).not.toContain(PERSON);
    expect(describeError(error)).toMatchObject({ code: '22007' });
  });

  it('names the violated constraint', () => {
    const broken = databaseError('duplicate key', {
      code: '23505',
      constraint: 'account_external_identifier',
    });
    expect(describeError(broken)).toMatchObject({ code: '23505', constraint: 'account_external_identifier' });
  });

  it('omits all other members of the error', () => {
    const error = Object.assign(new Error('x'), { parameters: [PERSON], body: { name: PERSON }, code: 7 });
    expect(Object.keys(describeError(error)).sort()).toEqual(['at', 'message', 'name']);
  });

  it('is limited in size', () => {
    const line = describeError(new Error('m'.repeat(100_000)));
    expect(line.message).toHaveLength(500);
    expect(JSON.stringify(line).length).toBeLessThan(4_000);
  });

  it.each([
    [PERSON, 'string'],
    [{ given_name: PERSON }, 'object'],
    [undefined, 'undefined'],
    [null, 'object'],
  ])('contains only the type of %j, which is not an Error', (thrown, name) => {
    expect(describeError(thrown)).toEqual({ name });
  });
});
