import { Database, type Executor } from '@portage/platform';
import type { EntityManager } from 'typeorm';

/**
 * For repositories whose statements run on one session, such as that of a CountingExecutor, or in one transaction. A
 * transaction of theirs is part of it.
 */
export class SessionDatabase extends Database {
  constructor(private readonly executor: Executor) {
    super(undefined as never);
  }

  override get manager(): EntityManager {
    return this.executor.manager;
  }

  override async run<Row extends object>(...statement: Parameters<Executor['run']>): Promise<Row[]> {
    return this.executor.run<Row>(...statement);
  }

  override async transaction<Result>(work: (transaction: Executor) => Promise<Result>): Promise<Result> {
    return work(this.executor);
  }
}
