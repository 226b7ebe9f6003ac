import { NativeSelect } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { change, path } from '../api/client';
import type { RetriedDocuments } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import type { Fields } from '../design/form';
import { formatCount } from '../design/format';
import { sum } from '../design/sums';
import { useRepeated } from '../design/use-repeated';

const STATES = [
  { value: '', label: 'missing and refused' },
  { value: 'MISSING', label: 'missing' },
  { value: 'REFUSED', label: 'refused' },
];

const describe = (results: readonly RetriedDocuments[]): string =>
  `Documents that are inspected again: ${formatCount(sum(results.map(({ retried }) => retried)))}.`;

/** Another look at documents that were missing or refused. */
export function RetryDocuments({ code }: { code: string }) {
  const { run, answers } = useRepeated(async ({ state }: Fields, cursor) =>
    change<RetriedDocuments>('POST', `${path('suppliers', code)}/documents/retry`, {
      state: state || undefined,
      cursor,
    }),
  );
  return (
    <ActionButton
      label="Retry documents"
      icon={RotateCcw}
      title={`Inspect documents of ${code} again`}
      confirmLabel="Retry documents"
      run={run}
      progress={describe(answers)}
      renews={[['documents', code], ['action-items']]}
      announce={describe}
    >
      <NativeSelect label="Which" data={STATES} name="state" />
      <p>Put the files into the document store first. Each document is looked for again.</p>
    </ActionButton>
  );
}
