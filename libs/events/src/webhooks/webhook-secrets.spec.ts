import { WebhookSecrets } from './webhook-secrets';

const secrets = new WebhookSecrets({ WEBHOOK_SECRETS_KEY: 'a key of at least thirty-two characters' });

describe('the secret of an endpoint', () => {
  it('is stored encrypted, differently each time, and read again', () => {
    const sealed = [secrets.seal('whsec_abc', 7), secrets.seal('whsec_abc', 7)] as const;
    expect(sealed[0].equals(sealed[1])).toBe(false);
    for (const one of sealed) {
      expect(one.includes('whsec_') || one.includes('abc')).toBe(false);
      expect(secrets.open(one, 7)).toBe('whsec_abc');
    }
  });

  it('is read as earlier releases have stored it', () => {
    const stored = Buffer.from('AfCAxogRH08saB_mNSL5XS5gred-SpRn2GU7in8HmR_z886bC-o', 'base64url');
    expect(secrets.open(stored, 7)).toBe('whsec_abc');
  });

  it('is not read with another key, for another supplier, or after a change', () => {
    const sealed = secrets.seal('whsec_abc', 7);
    const other = new WebhookSecrets({ WEBHOOK_SECRETS_KEY: 'another key of thirty-two characters' });
    expect(other.open(sealed, 7)).toBeUndefined();
    expect(secrets.open(sealed, 8)).toBeUndefined();
    for (let index = 1; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index]! ^= 1;
      expect(secrets.open(changed, 7)).toBeUndefined();
    }
    expect(secrets.open(Buffer.alloc(0), 7)).toBeUndefined();
  });

  it('is neither stored nor read without a key, and the error names the setting', () => {
    const none = new WebhookSecrets({ WEBHOOK_SECRETS_KEY: undefined });
    expect(none.isAvailable).toBe(false);
    expect(() => none.seal('whsec_abc', 7)).toThrow('WEBHOOK_SECRETS_KEY');
    expect(() => none.open(secrets.seal('whsec_abc', 7), 7)).toThrow('WEBHOOK_SECRETS_KEY');
  });
});
