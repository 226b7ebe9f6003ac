import { DEVICE_SECONDS, OperatorDevices } from './operator-devices';

let time = Date.parse('2026-11-23T09:00:00Z');
const clock = { now: () => new Date(time) };
const devices = new OperatorDevices({ TOKEN_SECRET: 'x'.repeat(32) }, clock);

describe('the token of a device', () => {
  it('has the id of the device, which stays at the next login', () => {
    const first = devices.issue('ada', undefined);
    const id = devices.idOf('ada', first);
    expect(id).toMatch(/^[\w-]{22}$/);
    time += 1_000;
    const next = devices.issue('ada', first);
    expect(next).not.toBe(first);
    expect(devices.idOf('ada', next)).toBe(id);
    expect(devices.idOf('ada', devices.issue('ada', undefined))).not.toBe(id);
  });

  it('is known to every instance with the same secret, and to no other', () => {
    const token = devices.issue('ada', undefined);
    const other = (secret: string) => new OperatorDevices({ TOKEN_SECRET: secret }, clock).idOf('ada', token);
    expect(other('x'.repeat(32))).toBe(devices.idOf('ada', token));
    expect(other('y'.repeat(32))).toBeUndefined();
  });

  it('ends after 30 days', () => {
    const token = devices.issue('ada', undefined);
    time += (DEVICE_SECONDS - 1) * 1_000;
    expect(devices.idOf('ada', token)).toBeDefined();
    time += 1_000;
    expect(devices.idOf('ada', token)).toBeUndefined();
  });

  it('is worth nothing for another operator, changed, or made up', () => {
    const token = devices.issue('ada', undefined);
    const [id, end, signature] = token.split('.') as [string, string, string];
    expect(devices.idOf('grace', token)).toBeUndefined();
    expect(devices.idOf('ada', devices.issue('grace', token))).toBeUndefined();
    for (const forged of [
      `${'A'.repeat(22)}.${end}.${signature}`,
      `${id}.${Number(end) + 1}.${signature}`,
      `${id}.${end}.${'A'.repeat(43)}`,
      `${id}.${end}.`,
      `${token}.`,
      ` ${token}`,
      '..',
      '',
      'x'.repeat(10_000),
    ])
      expect(devices.idOf('ada', forged)).toBeUndefined();
    expect(devices.idOf('ada', undefined)).toBeUndefined();
  });
});
