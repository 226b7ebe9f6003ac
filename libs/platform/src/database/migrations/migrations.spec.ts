import { readdirSync } from 'node:fs';
import { migrations } from '.';

/** The name of the class in a file: `1795392000000-first-schema.ts` has FirstSchema1795392000000. */
function nameOf(file: string): string {
  const [time, ...words] = file.replace('.ts', '').split('-');
  return `${words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')}${time}`;
}

describe('the list of migrations', () => {
  const instances = migrations.map((Each) => new Each());
  const names = instances.map(({ name }) => name);

  it('has every migration of the folder, in the order of their times', () => {
    const files = readdirSync(__dirname).filter((file) => /^\d/.test(file));
    expect(names).toEqual(files.sort().map(nameOf));
  });

  it('has none with a time in the future, which would run after those that are made until then', () => {
    for (const name of names) expect(Number(name.slice(-13))).toBeLessThan(Date.now());
  });

  it('has none with a `down`, which no command runs', () => {
    for (const instance of instances) expect(instance).not.toHaveProperty('down');
  });
});
