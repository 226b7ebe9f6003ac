import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { type QueueName, type Queues, queueSettings } from '@portage/platform';

/** The part of a payload that names accounts; maintenance jobs have none. */
interface AccountPayload {
  supplier?: unknown;
  externalAccountNumber?: unknown;
  /** The accounts of a batch of imports. */
  processes?: unknown;
  /** The requests of a batch of transactions requests, each about another account. */
  requests?: unknown;
}

/** The pages of the console to which a job links. */
interface ConsolePages {
  /** The import process of an account. */
  process: (supplier: string, externalAccountNumber: string) => string;
  /** The import processes of a supplier. */
  processes: (supplier: string) => string;
}

/**
 * A queue in Bull Board, read-only. A job is shown with its account and links to the import process of the account; the
 * job of a batch is shown with the number of its accounts and links to the processes of its supplier.
 */
export function showQueue(queue: ReturnType<Queues['get']>, pages: ConsolePages): BullMQAdapter {
  const shown = new BullMQAdapter(queue, {
    description: queueSettings[queue.name as QueueName].description,
    readOnlyMode: true,
    externalJobUrl: ({ data }) => {
      const { supplier, externalAccountNumber: number } = (data ?? {}) as AccountPayload;
      // A job without an account links to the page of its queue in the board.
      if (typeof supplier !== 'string') return { displayText: 'Queue', href: `queue/${queue.name}` };
      return typeof number === 'string'
        ? { displayText: 'Import process', href: pages.process(supplier, number) }
        : { displayText: 'Import processes', href: pages.processes(supplier) };
    },
  });
  shown.setFormatter('name', ({ name, data }: { name: string; data: unknown }) =>
    [name, ...subjectOf(data)].join(' '),
  );
  return shown;
}

/** The supplier of a job and its account, or the number of its accounts. */
function subjectOf(data: unknown): string[] {
  const { supplier, externalAccountNumber, processes, requests = processes } = (data ?? {}) as AccountPayload;
  if (typeof supplier !== 'string') return [];
  if (typeof externalAccountNumber === 'string') return [supplier, externalAccountNumber];
  return Array.isArray(requests) ? [supplier, `${requests.length} accounts`] : [supplier];
}
