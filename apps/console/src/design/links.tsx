import { Link } from '@tanstack/react-router';
import { path } from '../api/client';

/** The address in Bull Board of a queue, or of a queue and one of its jobs. */
export const boardUrl = (...segments: readonly string[]): string => path('queues', 'queue', ...segments);

export function SupplierLink({ code }: { code: string }) {
  return (
    <Link to="/suppliers/$code" params={{ code }}>
      {code}
    </Link>
  );
}

/** The process of an account, by the account's number at its supplier. */
export function ProcessLink({ code, id, number }: { code: string; id: string; number: string }) {
  return (
    <Link to="/suppliers/$code/processes/$id" params={{ code, id }}>
      {number}
    </Link>
  );
}

export function SubmissionLink({ id, reference = id }: { id: string; reference?: string }) {
  return (
    <Link to="/submissions/$id" params={{ id }}>
      {reference}
    </Link>
  );
}
