import { ApiError, describeError, InvalidInput, isSignedOut } from './api-error';

const error = (status: number, retryAfterSeconds?: number) =>
  new ApiError(status, 'a_code', 'The reason.', retryAfterSeconds);

it.each([
  [error(403), 'Not allowed'],
  [error(404), 'Not found'],
  [error(409), 'The request was refused'],
  [error(500), 'The service could not answer'],
])('%s is titled by its status, with the detail and the code of the answer', (refusal, title) => {
  expect(describeError(refusal)).toEqual({ title, detail: 'The reason.', code: 'a_code' });
});

it('a refusal for too many requests says when to try again', () => {
  expect(describeError(error(429, 7))).toMatchObject({
    title: 'Too many requests',
    detail: 'The reason. Try again in 7 s.',
  });
});

it('input that was not sent says why, and a failed request that the API did not answer', () => {
  expect(describeError(new InvalidInput('This is not JSON.'))).toMatchObject({ detail: 'This is not JSON.' });
  expect(describeError(new TypeError('Failed to fetch'))).toMatchObject({ title: 'The API did not answer' });
});

it('only an answer without a session signs out', () => {
  expect(isSignedOut(new ApiError(401, 'operator_session_required', '', undefined))).toBe(true);
  expect([isSignedOut(error(403)), isSignedOut(new TypeError('x'))]).toEqual([false, false]);
});
