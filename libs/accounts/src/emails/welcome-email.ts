import { oneLine } from '@portage/platform';

/** The values in a welcome e-mail. */
export interface WelcomeEmailFacts {
  readonly givenName?: string | undefined;
  readonly supplierName: string;
  /** The platform's account number. */
  readonly accountNumber: string;
  /** The account's `language_preference`, such as `en-gb` or `fr-fr`. */
  readonly language?: string | undefined;
}

interface Wording {
  subject: (account: string) => string;
  greeting: (name: string) => string;
  body: (supplier: string, account: string) => string;
  end: string;
}

const ENGLISH: Wording = {
  subject: (account) => `Welcome: your new account number is ${account}`,
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  body: (supplier, account) =>
    `Your ${supplier} account has been moved to our platform. Your new account number is ${account}. Please quote it whenever you contact us.`,
  end: 'This message was sent automatically.',
};

/** Wordings by the first two letters of the language. The default is English. */
const WORDINGS = new Map<string, Wording>([
  [
    'es',
    {
      subject: (account) => `Le damos la bienvenida: su nuevo número de cuenta es ${account}`,
      greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
      body: (supplier, account) =>
        `Su cuenta de ${supplier} se ha trasladado a nuestra plataforma. Su nuevo número de cuenta es ${account}. Indíquelo siempre que se comunique con nosotros.`,
      end: 'Este mensaje se ha enviado automáticamente.',
    },
  ],
  [
    'fr',
    {
      subject: (account) => `Bienvenue : votre nouveau numéro de compte est ${account}`,
      greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
      body: (supplier, account) =>
        `Votre compte ${supplier} a été transféré sur notre plateforme. Votre nouveau numéro de compte est ${account}. Merci de l'indiquer chaque fois que vous nous contactez.`,
      end: 'Ce message a été envoyé automatiquement.',
    },
  ],
]);

const MAX_NAME_LENGTH = 80;

/**
 * Writes the welcome e-mail to the first customer of an imported account. It is plain text. Each name is reduced to one
 * line, so that it cannot add headers or paragraphs.
 */
export function welcomeEmail(facts: WelcomeEmailFacts): { subject: string; text: string } {
  const { subject, greeting, body, end } =
    WORDINGS.get((facts.language ?? '').slice(0, 2).toLowerCase()) ?? ENGLISH;
  const account = oneLine(facts.accountNumber, MAX_NAME_LENGTH);
  const paragraphs = [
    greeting(oneLine(facts.givenName ?? '', MAX_NAME_LENGTH)),
    body(oneLine(facts.supplierName, MAX_NAME_LENGTH), account),
    end,
  ];
  return { subject: subject(account), text: `${paragraphs.join('\n\n')}\n` };
}
