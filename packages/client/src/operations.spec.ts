import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OPEN_OPERATIONS, ROUTES } from './operations';

const DOCUMENT = join(__dirname, '..', '..', '..', 'dist', 'openapi.json');

it('has each operation at its method and path, and sends the token where one is required', async () => {
  const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; security: object[] }>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security }]) => ({
      operationId,
      route: `${method.toUpperCase()} ${path}`,
      isOpen: !security.some((scheme) => 'token' in scheme),
    })),
  );
  expect(ROUTES).toEqual(
    Object.fromEntries(operations.map(({ operationId, route }) => [operationId, route])),
  );
  expect([...OPEN_OPERATIONS].sort()).toEqual(
    operations.flatMap(({ operationId, isOpen }) => (isOpen ? [operationId] : [])).sort(),
  );
});
