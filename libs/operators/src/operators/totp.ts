import { Secret, TOTP } from 'otpauth';

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Codes of the step before and after are accepted too, because clocks differ. */
const WINDOW_STEPS = 1;

/** The secret of a new authenticator, in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI that an authenticator reads from a QR code. */
export function totpUri(secret: string, name: string): string {
  return authenticator(secret, name).toString();
}

/** The time step of a code (RFC 6238); undefined if it is not a code of the secret at this time. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const timestamp = now.getTime();
  const delta = authenticator(secret).validate({ token: code, timestamp, window: WINDOW_STEPS });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}

function authenticator(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Portage',
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
  });
}
