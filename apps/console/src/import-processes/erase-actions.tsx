import { Checkbox } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { change, path } from '../api/client';
import type { ErasedAccountView, ErasedProcess, ProcessDetailView } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import { formatCount } from '../design/format';

/** States of processes that are not worked on and did not become an account. */
const ERASABLE = ['ERRORED', 'DRY_RUN_ERRORED', 'DRY_RUN_SUCCEEDED', 'CANCELLED'];

/** Erases the personal data of a process that did not become an account. */
export function EraseProcess({ process }: { process: ProcessDetailView }) {
  const { import_supplier: code, id, external_account_number: number } = process;
  if (process.created !== null || !ERASABLE.includes(process.status)) return null;
  return (
    <ActionButton
      label="Erase"
      icon={Trash2}
      title={`Erase the personal data of ${number}`}
      confirmLabel="Erase personal data"
      isDangerous
      typed={{ expected: number, what: 'The external account number.' }}
      run={async () =>
        change<ErasedProcess>('POST', `${path('suppliers', code, 'processes', id)}/erase`, {
          confirm: number,
        })
      }
      renews={[['process', code, id]]}
      announce={({ was_erased_before: wasErased }) =>
        wasErased ? `${number} was erased before.` : `The personal data of ${number} was erased.`
      }
    >
      <p>Removes the payload, the identifier and what the error says. It cannot be undone.</p>
      <p>
        The process stays with its number, and cannot be retried. The supplier can send the account again.
      </p>
    </ActionButton>
  );
}

/** Erases the personal data of an account. */
export function EraseAccount({ number, code, id }: { number: string; code: string; id: string }) {
  return (
    <ActionButton
      label="Erase account"
      icon={Trash2}
      title={`Erase the personal data of account ${number}`}
      confirmLabel="Erase personal data"
      isDangerous
      typed={{ expected: number, what: 'The number of the account.' }}
      run={async (fields) =>
        change<ErasedAccountView>('POST', `${path('accounts', number)}/erase`, {
          confirm: number,
          keep_documents: 'keep_documents' in fields,
        })
      }
      renews={[['process', code, id]]}
      announce={({ removed_documents: removed }) =>
        `The personal data of ${number} was erased. Removed documents: ${formatCount(removed.length)}.`
      }
    >
      <p>Erases names, addresses, notes and the payload. It cannot be undone.</p>
      <p>Amounts and dates of transactions stay.</p>
      <Checkbox label="Keep its documents in the document store" name="keep_documents" />
    </ActionButton>
  );
}
