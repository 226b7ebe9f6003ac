import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR_CONTROLLERS } from './operator-controllers';

it('has the controllers of every file <noun>/*.controller.ts', () => {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.controller.ts'),
  );
  const exported = files.flatMap((file) =>
    Object.values(jest.requireActual<Record<string, unknown>>(join(__dirname, file))),
  );
  expect(exported.length).toBeGreaterThan(10);
  expect(new Set<unknown>(OPERATOR_CONTROLLERS)).toEqual(new Set(exported));
});
