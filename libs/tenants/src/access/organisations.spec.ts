import { ActingOperator, PortageError } from '@portage/platform';
import type { ApiKeyRepository } from './api-key.repository';
import type { OrganisationRepository } from './organisation.repository';
import { Organisations } from './organisations';

function installation() {
  const create = jest.fn((name: string) => Promise.resolve({ id: 1, name, createdAt: '2026-01-01' }));
  const organisations = { create } as unknown as OrganisationRepository;
  return {
    use: new Organisations(organisations, {} as ApiKeyRepository, new ActingOperator('operator:test')),
    create,
  };
}

it.each(['Supplier Ltd', 'Zoë & 山田', '\u{1f600}'.repeat(128)])(
  'an organisation may be named %j',
  async (name) => {
    const { use, create } = installation();
    await use.create(name);
    expect(create).toHaveBeenCalledWith(name, expect.anything());
  },
);

it.each(['', 'x'.repeat(129), 'a\nb', 'a\u001b[2J', 'a\u0085', 'a\u202eb', 'a\u200bb', 'a\u00adb'])(
  'an organisation may not be named %j',
  async (name) => {
    const { use, create } = installation();
    await expect(use.create(name)).rejects.toThrow(PortageError);
    expect(create).not.toHaveBeenCalled();
  },
);

it('an organisation that exists, one that does not, and a key that is not valid are refused', async () => {
  const use = new Organisations(
    {
      create: async () => Promise.resolve(),
      findByName: async () => Promise.resolve(),
    } as unknown as OrganisationRepository,
    { revoke: async () => Promise.resolve(false) } as unknown as ApiKeyRepository,
    new ActingOperator('operator:test'),
  );
  const refused = [
    async () => use.create('A'),
    async () => use.issueApiKey('A'),
    async () => use.revokeApiKey('A'),
  ];
  for (const operation of refused)
    await expect(operation()).rejects.toMatchObject({ code: 'operation_refused' });
});
