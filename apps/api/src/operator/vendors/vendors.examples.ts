/** An example of `VendorMinute`. */
const exampleVendorMinute = { at: '2026-11-21T09:40:00.000Z', verified: 31, refused: 2, unavailable: 0 };

/** An example of `Vendor`. */
export const exampleVendor = {
  name: 'STRIPE',
  breaker: 'closed',
  since: null,
  reported_at: '2026-11-21T09:41:05.120Z',
  workers: [{ id: '5b1f2c1e-6c5a-4c6f-9a35-1c2f2c5f4b11', breaker: 'closed', since: null }],
  outcomes: [exampleVendorMinute],
};
