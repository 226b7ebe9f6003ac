/** What a welcome e-mail tells; an empty given name is left out of the greeting. */
export interface WelcomeFacts {
  givenName: string;
  /** Code of the import supplier that the account came from. */
  supplier: string;
  /** The platform account number. */
  accountNumber: string;
}

/** Control characters, line breaks among them, would end a header and begin another. */
const oneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').trim();

/** The e-mail that tells a customer of the migration (DESIGN 4): a subject of one line, and plain text. */
export function welcomeEmail({ givenName, supplier, accountNumber }: WelcomeFacts): {
  subject: string;
  text: string;
} {
  const name = oneLine(givenName);
  return {
    subject: oneLine(`Your account has moved: ${accountNumber}`),
    text: [
      name === '' ? 'Hello,' : `Hello ${name},`,
      '',
      `your account with ${oneLine(supplier)} has moved to our platform. Its number here is ${accountNumber}.`,
      'There is nothing you need to do: payments and agreements go on as before.',
      '',
    ].join('\n'),
  };
}
