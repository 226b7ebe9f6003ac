import { Controller, Get, Post } from '@nestjs/common';
import {
  DescribeAbort,
  DescribeReconciliation,
  DescribeResults,
  DescribeRollback,
  DescribeSubmission,
  DescribeSubmissions,
} from './submissions.openapi';

/** Submissions, as operators see and manage them. */
@Controller('operator/v1')
export class OperatorSubmissionsController {
  @Get('suppliers/:code/submissions')
  @DescribeSubmissions()
  list(): never {
    throw new Error('Not implemented.');
  }

  @Get('submissions/:id')
  @DescribeSubmission()
  read(): never {
    throw new Error('Not implemented.');
  }

  @Get('submissions/:id/reconciliation')
  @DescribeReconciliation()
  reconcile(): never {
    throw new Error('Not implemented.');
  }

  @Get('submissions/:id/results')
  @DescribeResults()
  results(): never {
    throw new Error('Not implemented.');
  }

  @Post('submissions/:id/abort')
  @DescribeAbort()
  abort(): never {
    throw new Error('Not implemented.');
  }

  @Post('submissions/:id/rollback')
  @DescribeRollback()
  rollBack(): never {
    throw new Error('Not implemented.');
  }
}
