import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { hashOfSecret, newApiKey, newRefreshToken, prefixOfApiKey } from './api-key-text';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

describe('an API key', () => {
  it('consists of portage, its prefix, a secret of 40 characters and a checksum of 7', () => {
    const { text, prefix } = newApiKey();
    expect(text).toMatch(/^portage_[a-z2-7]{8}_[a-z2-7]{47}$/);
    expect(text.split('_')[1]).toBe(prefix);
    expect(prefixOfApiKey(text)).toBe(prefix);
  });

  it('has a secret of 200 bits: each of 32 characters occurs at each of 40 positions', () => {
    const secrets = Array.from({ length: 2_000 }, () => newApiKey().text.split('_')[2]!.slice(0, 40));
    expect(new Set(secrets).size).toBe(2_000);
    for (let place = 0; place < 40; place += 1)
      expect(new Set(secrets.map((secret) => secret[place]))).toEqual(new Set(BASE32.split('')));
  });

  it('is not recognised if any one character is changed', () => {
    const { text } = newApiKey();
    const mistaken: string[] = [];
    for (let place = 0; place < text.length; place += 1)
      for (const other of `${BASE32}_0189A`)
        if (other !== text[place]) mistaken.push(text.slice(0, place) + other + text.slice(place + 1));
    expect(mistaken.filter((wrong) => prefixOfApiKey(wrong) !== undefined)).toEqual([]);
  });

  it('is not recognised if two neighbours are swapped, or if it is truncated or extended', () => {
    const { text } = newApiKey();
    const swapped = Array.from(
      { length: text.length - 1 },
      (_, at) => text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2),
    ).filter((wrong) => wrong !== text);
    const wrong = [...swapped, text.slice(0, -1), `${text}a`, `${text}\n`, ` ${text}`, text.toUpperCase()];
    expect(wrong.filter((one) => prefixOfApiKey(one) !== undefined)).toEqual([]);
  });

  it('cannot be other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        expect(prefixOfApiKey(text)).toBeUndefined();
      }),
    );
  });

  it('is stored as its SHA-256, from which the text cannot be recovered', () => {
    const { text } = newApiKey();
    expect(hashOfSecret(text)).toEqual(createHash('sha256').update(text).digest());
    expect(hashOfSecret(text).toString('latin1')).not.toContain(text.slice(-8));
  });
});

it('a refresh token has 256 bits and is unique', () => {
  const tokens = Array.from({ length: 1_000 }, newRefreshToken);
  expect(new Set(tokens).size).toBe(1_000);
  for (const token of tokens) expect(token).toMatch(/^portage_refresh_[\w-]{43}$/);
});
