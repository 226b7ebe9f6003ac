import { Database, type Executor } from '@portage/platform';

/** For repositories whose statements run on one session, such as that of a CountingExecutor. */
export class SessionDatabase extends Database {
  constructor(private readonly executor: Executor) {
    super(undefined as never);
  }

  override async run<Row extends object>(...statement: Parameters<Executor['run']>): Promise<Row[]> {
    return this.executor.run<Row>(...statement);
  }
}
