import type { List } from '@portage/operators';
import { QueueView, WorkerView } from '@portage/operators';

/** The queues. */
export type QueueList = List<QueueView>;

/** The workers. */
export type WorkerList = List<WorkerView>;
