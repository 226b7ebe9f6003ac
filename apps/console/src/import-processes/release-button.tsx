import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/shapes';
import { useHasRole } from '../session/session';
import { ACTIONS, ProcessActionDialog } from './process-action-dialog';

/** Releases the accounts of a supplier, or of one of its submissions, that wait after their dry run. */
export function ReleaseButton({ code, submission }: { code: string; submission?: string }) {
  const [isOpen, setOpen] = useState(false);
  const canChange = useHasRole('operator');
  const selection: Schemas['ProcessSelection'] = {
    status: 'DRY_RUN_SUCCEEDED',
    ...(submission === undefined ? {} : { submission }),
  };
  if (!canChange) return null;
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        {ACTIONS.release.label}
      </Button>
      {isOpen && (
        <ProcessActionDialog
          code={code}
          selection={selection}
          initialAction="release"
          isOpen
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
