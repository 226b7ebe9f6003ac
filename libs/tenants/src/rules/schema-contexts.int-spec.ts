import { DEFAULT_LIMITS } from '@portage/account-schema';
import { useApplication } from '@portage/testing/application';
import { SchemaContexts } from './schema-contexts';

const test = useApplication();

it('A service with default settings has the limits of the package that validates without it', async () => {
  const { limits } = await test.app.get(SchemaContexts).build(undefined);
  expect(limits).toEqual(DEFAULT_LIMITS);
});
