import { requestId } from './request-id';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const idFor = (header?: string | string[]) =>
  requestId({ headers: header === undefined ? {} : { 'x-request-id': header } });

describe('the request id', () => {
  it.each([
    '1',
    '12345678',
    'a.b_c-D9',
    'e3b0c442-98fc-4c14-9afb-f4c8996fb924',
    '01JD9ZQ5Y7M2K8N4T6V3W1X0RB',
    'Root=1-67891233-abcdef012345678912345678',
    'book:7/line:12@host+1~2',
    'x'.repeat(128),
  ])("is the client's header %s", (header) => {
    expect(idFor(header)).toBe(header);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['too long', 'x'.repeat(129)],
    ['with a space', 'my request'],
    ['with a line break', '12345678\n'],
    ['that could break a log line', '{"level":50}'],
    ['that could break a page', '<script>alert</script>'],
    ['outside ASCII', 'Anfrage-größer'],
    ['sent twice', ['12345678', '87654321']],
  ])('is a new one if the header is %s', (_what, header) => {
    expect(idFor(header)).toMatch(UUID);
  });

  it('is unique', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => idFor())).size).toBe(1_000);
  });
});
