import { Button } from '@mantine/core';
import { useState } from 'react';
import { useHasRole } from '../session/session';
import { ACTIONS, ProcessActionDialog } from './process-action-dialog';

/**
 * Releases the accounts of a submission that wait after their dry run. It stays on the page while its dialog is open, also
 * when no account waits any more (`isOffered`).
 */
export function ReleaseButton(props: { code: string; submission: string; isOffered: boolean }) {
  const { code, submission, isOffered } = props;
  const [isOpen, setOpen] = useState(false);
  const canChange = useHasRole('operator');
  if (!canChange) return null;
  return (
    <>
      {isOffered && (
        <Button
          onClick={() => {
            setOpen(true);
          }}
        >
          {ACTIONS.release.label}
        </Button>
      )}
      {isOpen && (
        <ProcessActionDialog
          code={code}
          selection={{ status: 'DRY_RUN_SUCCEEDED', submission }}
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
