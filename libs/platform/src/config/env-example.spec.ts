import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadConfig } from './config';
import { envExample } from './env-example';
import { settings } from './settings';

const file = readFileSync(join(__dirname, '..', '..', '..', '..', '.env.example'), 'utf8');

describe('.env.example', () => {
  it(`is what this writes: npm run build && node -p "require('./dist/libs/platform/src/config/env-example').envExample().trimEnd()" > .env.example`, () => {
    expect(file).toBe(envExample());
  });

  it('sets no variable while every line is commented out', () => {
    expect(parseEnv(file)).toEqual({});
  });

  it('has every variable with a description and its default', () => {
    const undocumented = Object.entries(settings).filter(([, { desc }]) => !desc);
    expect(undocumented).toEqual([]);
    const uncommented = parseEnv(file.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
    expect(Object.keys(uncommented).sort()).toEqual(Object.keys(settings).sort());
  });

  it('changes no setting when every line is uncommented', () => {
    const DATABASE_URL = 'postgres://127.0.0.1/portage';
    const uncommented = parseEnv(file.replaceAll(/^#(?=[A-Z_]+=)/gm, '')) as NodeJS.ProcessEnv;
    expect(loadConfig('cli', { ...uncommented, DATABASE_URL })).toEqual(loadConfig('cli', { DATABASE_URL }));
  });
});
