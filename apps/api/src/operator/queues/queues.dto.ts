import { ListOf, QueueView, WorkerView } from '@portage/operators';

/** The queues. */
export class QueueList extends ListOf(QueueView) {}

/** The workers. */
export class WorkerList extends ListOf(WorkerView) {}
