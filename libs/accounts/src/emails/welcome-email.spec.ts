import fc from 'fast-check';
import { welcomeEmail } from './welcome-email';

const FACTS = { givenName: 'Jane', supplierName: 'ACME', accountNumber: 'A-1B2C3D4E' };

describe('the welcome e-mail', () => {
  it('contains the new account number', () => {
    expect(welcomeEmail(FACTS)).toEqual({
      subject: 'Welcome: your new account number is A-1B2C3D4E',
      text: [
        'Hello Jane,',
        'Your ACME account has been moved to our platform. Your new account number is A-1B2C3D4E. Please quote it whenever you contact us.',
        'This message was sent automatically.\n',
      ].join('\n\n'),
    });
  });

  it.each([
    ['en-gb', 'Hello Jane,'],
    ['en-us', 'Hello Jane,'],
    ['es-419', 'Hola, Jane:'],
    ['fr-fr', 'Bonjour Jane,'],
    ['FR', 'Bonjour Jane,'],
    ['cy', 'Hello Jane,'],
    ['', 'Hello Jane,'],
    [undefined, 'Hello Jane,'],
  ])('the e-mail in the language %s begins with %j', (language, greeting) => {
    const { subject, text } = welcomeEmail({ ...FACTS, language });
    expect(text.split('\n')[0]).toBe(greeting);
    expect(subject).toContain(FACTS.accountNumber);
    expect(text).toContain(FACTS.accountNumber);
    expect(text).toContain(FACTS.supplierName);
  });

  it.each([undefined, '', ' ', '\r\n'])('has a greeting without a name for the name %j', (givenName) => {
    expect(welcomeEmail({ ...FACTS, givenName }).text).toMatch(/^Hello,\n/);
  });

  it('keeps names of all scripts unchanged', () => {
    for (const givenName of ['Zoë', 'Ngọc-Ánh', '李小龍', 'عائشة', "D'Arcy", '\u0645\u06cc\u200c\u062e'])
      expect(welcomeEmail({ ...FACTS, givenName }).text).toContain(`Hello ${givenName},\n`);
  });

  const lines = welcomeEmail(FACTS).text.split('\n').length;
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a\r\nBcc: b@c.example', 'a\n\n.\n', '\u2028x', '\u0085x', '\u202ex', '\ud800'),
  );

  it('has the same number of lines for all names', () => {
    fc.assert(
      fc.property(texts, texts, texts, (givenName, supplierName, accountNumber) => {
        const { subject, text } = welcomeEmail({ givenName, supplierName, accountNumber });
        expect(subject).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e]/u);
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e]/u);
        expect(text.split('\n')).toHaveLength(lines);
      }),
    );
  });

  it('is short even if the names are long', () => {
    const long = 'x'.repeat(100_000);
    const { subject, text } = welcomeEmail({ givenName: long, supplierName: long, accountNumber: long });
    expect(subject.length + text.length).toBeLessThan(1_000);
  });
});
