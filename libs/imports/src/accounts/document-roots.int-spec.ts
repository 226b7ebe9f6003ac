import { ImportSuppliers, Organisations } from '@portage/tenants';
import { useApplication } from '@portage/testing/application';

const test = useApplication();

beforeAll(async () => {
  await test.app.get(Organisations).create('Other Ltd');
});

const suppliers = () => test.app.get(ImportSuppliers);

let next = 0;
/** Creates a supplier of a new name, and returns its code. */
async function create(documentRoot: string | undefined, organisation = 'Supplier Ltd'): Promise<string> {
  const code = `S${next++}`;
  await suppliers().create(code, organisation, documentRoot === undefined ? {} : { documentRoot });
  return code;
}
const TAKEN = 'is the folder of another supplier';

describe('the document root of a supplier', () => {
  it('is made from its code unless the operator names another', async () => {
    const code = await create(undefined);
    expect(await test.sql('SELECT document_root FROM import_supplier WHERE code = $1', [code])).toEqual([
      { document_root: code },
    ]);
    expect(await suppliers().create('Müller/'.slice(0, 6), 'Supplier Ltd', {})).toMatchObject({
      documentRoot: 'M-ller',
    });
  });

  it.each(['', '/', '..', 'a/../b', './a', 'a//b', 'a/', '/a', 'a\\b', 'C:/a', 'a%2fb', 'cafe\u0301'])(
    'is refused if it is %j, by the command and by the database',
    async (documentRoot) => {
      await expect(suppliers().set('LEGACY', { documentRoot })).rejects.toThrow('--document-root must be');
      const stored = test.sql(`UPDATE import_supplier SET document_root = $1 WHERE code = 'LEGACY'`, [
        documentRoot,
      ]);
      await expect(stored).rejects.toMatchObject({ constraint: 'import_supplier_document_root_check' });
    },
  );

  it.each([
    ['equal to', 'one', 'one'],
    ['equal but for case to', 'two', 'TWO'],
    ['inside', 'three', 'three/a/b'],
    ['inside, in another case,', 'four/x', 'Four/X/y'],
    ['above', 'five/a', 'five'],
  ])("is refused if it is %s another organisation's", async (_what, root, refused) => {
    await create(root, 'Other Ltd');
    await expect(create(refused)).rejects.toThrow(TAKEN);
    const code = await create(undefined);
    await expect(suppliers().set(code, { documentRoot: refused })).rejects.toThrow(TAKEN);
    const stored = test.sql('UPDATE import_supplier SET document_root = $1 WHERE code = $2', [refused, code]);
    await expect(stored).rejects.toMatchObject({ constraint: 'import_supplier_document_root' });
  });

  it('may be inside that of the same organisation, but not equal to it', async () => {
    await create('shared');
    await create('shared/inside');
    await expect(create('Shared')).rejects.toThrow(TAKEN);
    await expect(create('shared/inside/x', 'Other Ltd')).rejects.toThrow(TAKEN);
  });

  it("may begin with the name of another organisation's", async () => {
    await create('six', 'Other Ltd');
    await expect(create('six2')).resolves.toBeDefined();
  });

  it('is refused if its supplier moves into an organisation in which it overlaps', async () => {
    await create('home');
    const code = await create('home/below');
    const moved = test.sql(
      `UPDATE import_supplier SET organisation_id = (SELECT id FROM organisation WHERE name = 'Other Ltd')
       WHERE code = $1`,
      [code],
    );
    await expect(moved).rejects.toMatchObject({ constraint: 'import_supplier_document_root' });
  });

  it('is stored for one of two organisations that set overlapping roots concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.allSettled([
        create(`race-${round}`),
        create(`race-${round}/inside`, 'Other Ltd'),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it('does not hide that a supplier code is taken', async () => {
    await expect(suppliers().create('LEGACY', 'Supplier Ltd', {})).rejects.toThrow('LEGACY is taken');
  });
});
