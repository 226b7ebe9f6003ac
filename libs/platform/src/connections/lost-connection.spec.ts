import { DatabaseError } from 'pg';
import { isLostConnection } from './lost-connection';

function answerOf(code: string): DatabaseError {
  return Object.assign(new DatabaseError('refused', 0, 'error'), { code });
}

it.each([
  ['a reset', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  ['an end', new Error('Connection terminated unexpectedly')],
  ['a server that goes down', answerOf('57P01')],
  ['a server that starts', answerOf('57P03')],
  ['a standby', answerOf('25006')],
  ['a connection that failed', answerOf('08006')],
])('%s loses the connection', (_name, error) => {
  expect(isLostConnection(error)).toBe(true);
});

it.each([
  ['a refused value', answerOf('22P02')],
  ['a statement that took too long', answerOf('57014')],
  ['a job of another worker', Object.assign(new Error('Missing lock for job 1.'), { code: -2 })],
  ['a mistake in the program', new TypeError('undefined is not a function')],
  ['no error', undefined],
])('%s is an answer', (_name, error) => {
  expect(isLostConnection(error)).toBe(false);
});
