/** An example of `Session`. */
export const exampleSession = {
  operator: { name: 'ada', role: 'admin', has_totp: false, must_change_password: false },
  csrf_token: 'Jm3zUbhx0yTzEjiHs3jYbgH6jV6wq1fJ0o0kC1oY2bA',
  expires_at: '2026-11-23T05:00:00.000Z',
  idle_expires_at: '2026-11-22T17:30:00.000Z',
};
