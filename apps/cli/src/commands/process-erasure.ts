import { EraseProcess } from '@portage/imports';
import { show } from '../command';
import { confirm } from '../confirmation';

interface EraseOptions {
  supplier: string;
  externalAccountNumber: string;
  yes?: true;
  json?: true;
}

/** `process erase`. Asks for confirmation unless `--yes` is given, because the erasure cannot be undone. */
export async function eraseProcess({
  supplier,
  externalAccountNumber: number,
  yes,
  json,
}: EraseOptions): Promise<void> {
  if (!yes) await confirm(`The personal data of the process ${number} of ${supplier}`, number);
  await show(json ?? false, async (app) => {
    const isNew = await app.get(EraseProcess).erase(supplier, number);
    return {
      json: { import_supplier: supplier, external_account_number: number, was_erased_before: !isNew },
      text: isNew
        ? `The personal data of the process ${number} of ${supplier} has been erased.`
        : `The process ${number} of ${supplier} was erased before. There was nothing left to erase.`,
    };
  });
}
