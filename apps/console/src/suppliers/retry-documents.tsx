import { NativeSelect } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { change, path } from '../api/client';
import type { RetriedDocuments } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import type { Fields } from '../design/form';
import { formatCount } from '../design/format';

const STATES = [
  { value: '', label: 'missing and refused' },
  { value: 'MISSING', label: 'missing' },
  { value: 'REFUSED', label: 'refused' },
];

/** Another look at documents that were missing or refused. */
export function RetryDocuments({ code }: { code: string }) {
  const retry = async ({ state }: Fields) => {
    let retried = 0;
    let cursor: string | null = null;
    do {
      const body = { ...(state ? { state } : {}), ...(cursor === null ? {} : { cursor }) };
      const result: RetriedDocuments = await change(
        'POST',
        `${path('suppliers', code)}/documents/retry`,
        body,
      );
      retried += result.retried;
      cursor = result.next_cursor;
    } while (cursor !== null);
    return retried;
  };
  return (
    <ActionButton
      label="Retry documents"
      icon={RotateCcw}
      title={`Inspect documents of ${code} again`}
      confirmLabel="Retry documents"
      run={retry}
      renews={[['documents', code], ['action-items']]}
      onDone={(retried) => `Documents that are inspected again: ${formatCount(retried)}.`}
    >
      <NativeSelect label="Which" data={STATES} name="state" />
      <p>Put the files into the document store first. Each document is looked for again.</p>
    </ActionButton>
  );
}
