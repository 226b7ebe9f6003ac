import { NativeSelect } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { change, path } from '../api/client';
import type { ProcessDetailView, TakeBackRequest, TakenBackProcess } from '../api/shapes';
import { ActionButton } from '../design/dialog';

const REASONS = [
  { value: 'asked_by_supplier', label: 'The supplier has asked for it' },
  { value: 'wrong_account', label: 'The account should not have been sent' },
  { value: 'duplicate', label: 'The account exists twice' },
  { value: 'test', label: 'It was a test' },
  { value: 'other', label: 'Another reason' },
] satisfies readonly { value: TakeBackRequest['reason']; label: string }[];

/** Deletes the account that an import has created, unless something was added to it: the refusal names what was. */
export function TakeBackAccount({ process }: { process: ProcessDetailView }) {
  const { import_supplier: code, id, external_account_number: number } = process;
  return (
    <ActionButton
      label="Take back"
      icon={Undo2}
      title={`Take the account of ${number} back`}
      confirmLabel="Take back"
      isDangerous
      typed={{ expected: number, what: 'The external account number.' }}
      run={async (fields) =>
        change<TakenBackProcess>('POST', `${path('suppliers', code, 'processes', id)}/take-back`, {
          confirm: number,
          reason: fields['reason'],
        })
      }
      renews={[['process', code, id]]}
      announce={({ platform_account_number: account }) =>
        account === null ? `${number} was taken back before.` : `The account ${account} was deleted.`
      }
    >
      <p>
        Deletes the account that the import has created, with all its rows. The supplier can send it again.
      </p>
      <p>
        An account to which something was added since its import stays, and the answer says what was added.
      </p>
      <NativeSelect label="Reason, for the audit" name="reason" data={[...REASONS]} />
    </ActionButton>
  );
}
