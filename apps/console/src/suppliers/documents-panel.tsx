import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { apiQuery, change, path } from '../api/client';
import type { Schemas } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import { Loaded } from '../design/feedback';
import type { Fields } from '../design/form';
import { formatCount } from '../design/format';
import { Facts, Panel } from '../design/layout';
import { useHasRole } from '../session/session';

/** The folder of the supplier's documents, and another look at those that were missing or refused. */
export function DocumentsPanel({ code }: { code: string }) {
  const canChange = useHasRole('operator');
  const query = useQuery(apiQuery<Schemas['DocumentRootList']>(['document-roots'], '/document-roots'));
  return (
    <Panel title="Documents" actions={canChange && <RetryDocuments code={code} />}>
      <Loaded query={query} lines={2}>
        {({ items }) => {
          const root = items.find((one) => one.import_supplier === code);
          return <Facts facts={[['Folder', root && <code key="root">{root.document_root}</code>]]} />;
        }}
      </Loaded>
    </Panel>
  );
}

const STATES = [
  { value: '', label: 'missing and refused' },
  { value: 'MISSING', label: 'missing' },
  { value: 'REFUSED', label: 'refused' },
];

function RetryDocuments({ code }: { code: string }) {
  const retry = async ({ state }: Fields) => {
    let retried = 0;
    let cursor: string | null = null;
    do {
      const body = { ...(state ? { state } : {}), ...(cursor === null ? {} : { cursor }) };
      const result: Schemas['RetriedDocuments'] = await change(
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
      onDone={(retried) => `Documents that are inspected again: ${formatCount(retried)}.`}
    >
      <NativeSelect label="Which" data={STATES} name="state" />
      <p>Put the files into the document store first. Each document is looked for again.</p>
    </ActionButton>
  );
}
