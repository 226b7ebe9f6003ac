import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Scenario } from './scenario';

/** A scenario with its family and its name, which `npm run test:scenarios -- NAME` takes. */
export interface NamedScenario extends Scenario {
  family: string;
  name: string;
}

type Module = { default: unknown };

/** All scenarios: the default exports of the files in the folders beside this file, by family and name. */
export function readScenarios(): NamedScenario[] {
  return readdirSync(__dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: family }) =>
      readdirSync(join(__dirname, family))
        .filter((file) => file.endsWith('.ts'))
        .flatMap((file) => {
          const found = jest.requireActual<Module>(join(__dirname, family, file)).default;
          return scenariosOf(found, basename(file, '.ts')).map(([name, one]) => ({ ...one, family, name }));
        }),
    );
}

/** One scenario has the name of its file; several have their own. */
function scenariosOf(found: unknown, name: string): (readonly [string, Scenario])[] {
  if (typeof found !== 'object' || found === null) return [];
  return 'run' in found ? [[name, found as Scenario]] : Object.entries(found as Record<string, Scenario>);
}
