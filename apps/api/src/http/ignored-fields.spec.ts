import { Account } from '@portage/account-schema';
import fc from 'fast-check';
import { fastify } from 'fastify';
import { setIgnoredFieldsHeader } from './ignored-fields';

let paths: readonly string[] = [];
const server = fastify().get('/', (_request, reply) => {
  setIgnoredFieldsHeader(reply, paths, Account);
  return reply.send();
});

/** The header of a response for `ignored` paths, or undefined if it has none. */
async function headerFor(ignored: readonly string[], name = 'Ignored-Fields'): Promise<string | undefined> {
  paths = ignored;
  const { headers } = await server.inject('/');
  return headers[name.toLowerCase()] as string | undefined;
}

describe('the header Ignored-Fields', () => {
  it.each([
    [[], undefined],
    [['favourite_colour'], 'favourite_colour'],
    [['a', 'customers.0.shoe_size'], 'a, customers.0.shoe_size'],
    [['größe'], 'gr%C3%B6%C3%9Fe'],
    [['a, b'], 'a%2C%20b'],
    [['line\r\nSet-Cookie: x'], 'line%0D%0ASet-Cookie%3A%20x'],
    [['\u{1F600}'], '%F0%9F%98%80'],
    [['half \ud83d'], 'half%20%EF%BF%BD'],
    [['__proto__'], '__proto__'],
  ])('the ignored fields %j are the header %j', async (ignored, header) => {
    expect(await headerFor(ignored)).toBe(header);
  });

  it('is cut after 4,000 characters and ends with ...', async () => {
    const ignored = Array.from({ length: 1_000 }, (_, index) => `customers.${index}.shoe_size`);
    const header = (await headerFor(ignored))!;
    expect(header.length).toBeLessThanOrEqual(4_000);
    const named = header.split(', ');
    expect(named.at(-1)).toBe('...');
    expect(named.slice(0, -1)).toEqual(ignored.slice(0, named.length - 1));
    expect(named.length).toBeGreaterThan(100);
  });

  it('is ... if the first path alone is too long', async () => {
    expect(await headerFor(['x'.repeat(5_000)])).toBe('...');
  });

  it('is valid HTTP for any field names', async () => {
    const name = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 20 }), async (ignored) => {
        const header = (await headerFor(ignored))!;
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect(header.length).toBeLessThanOrEqual(4_000);
      }),
    );
  });
});

describe('the header Ignored-Fields-Suggestions', () => {
  it('names the documented fields that are near, and only those', async () => {
    const paths = ['customer', 'shoe_size', 'customers.0.e-mail', 'größe'];
    expect(await headerFor(paths, 'Ignored-Fields-Suggestions')).toBe(
      'customer=customers, customers.0.e-mail=email',
    );
  });

  it('is missing if no documented field is near', async () => {
    expect(await headerFor(['favourite_colour'], 'Ignored-Fields-Suggestions')).toBeUndefined();
  });
});
