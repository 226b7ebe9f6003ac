import { inheritSource, numberAsSent, recordSource } from './source-text';

/** A body whose source is recorded. */
function parse(text: string): Record<string, unknown> {
  const body = JSON.parse(text) as Record<string, unknown>;
  recordSource(body, text);
  return body;
}

describe('a number that JSON.parse changes', () => {
  it.each<[string, string, string, string | undefined]>([
    ['in an object', '{"a": 12345678901234567890}', 'a', '12345678901234567890'],
    ['in lists', '{"a":[0,[1, -12345678901234567890]]}', 'a.1.1', '-12345678901234567890'],
    [
      'after texts',
      '{"a\\"":"[{\\\\","b\\u0063":[{},"]",12345678901234567890]}',
      'bc.2',
      '12345678901234567890',
    ],
    [
      'of two with one name',
      '{"a":12345678901234567890,"a":12345678901234567891}',
      'a',
      '12345678901234567891',
    ],
    ['with an exponent', '{"b":12345678901234567890,"a":[1e400]}', 'a.0', '1e400'],
    ['that is exact', '{"b":12345678901234567890,"a":[1]}', 'a.0', undefined],
    ['that is a fraction', '{"b":12345678901234567890,"a":0.12345678901234567890}', 'a', undefined],
  ])('is shown as it was sent: %s', (_where, text, attr, expected) => {
    expect(numberAsSent(parse(text), attr)).toBe(expected);
  });

  it('is found by the path in a member of the body', () => {
    const body = parse('{"account":{"a":{"b":12345678901234567890}}}');
    const account = body['account'] as object;
    inheritSource(body, 'account', account);
    expect(numberAsSent(account, 'a.b')).toBe('12345678901234567890');
  });

  it('costs no more for many errors in a large body: the text is read once', () => {
    const numbers = Array.from({ length: 1_000 }, () => '12345678901234567890').join();
    const body = parse(`{"${'k'.repeat(1_000_000)}":"${'\\\\'.repeat(4_000_000)}","a":[${numbers}]}`);
    const start = process.cpuUsage();
    for (let index = 0; index < 1_000; index += 1)
      expect(numberAsSent(body, `a.${index}`)).toBe('12345678901234567890');
    const { user } = process.cpuUsage(start);
    expect(user / 1_000).toBeLessThan(500);
  });
});
