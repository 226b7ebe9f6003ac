/** An example of `ApiKey`. */
export const exampleApiKey = {
  prefix: 'pk_1f2e',
  organisation: 'Demo Energy',
  created_at: '2026-11-20T08:00:00.000000Z',
  revoked_at: null,
};
