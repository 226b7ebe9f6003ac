import { Controller, Get, Post } from '@nestjs/common';
import {
  DescribeAction,
  DescribePayload,
  DescribePreview,
  DescribeProcess,
  DescribeProcesses,
} from './import-processes.openapi';

/** Import processes, as operators see and steer them. */
@Controller('operator/v1')
export class OperatorImportProcessesController {
  @Get('suppliers/:code/processes')
  @DescribeProcesses()
  list(): never {
    throw new Error('Not implemented.');
  }

  @Get('suppliers/:code/processes/:id')
  @DescribeProcess()
  read(): never {
    throw new Error('Not implemented.');
  }

  @Post('suppliers/:code/processes/:id/payload')
  @DescribePayload()
  payload(): never {
    throw new Error('Not implemented.');
  }

  @Post('suppliers/:code/process-actions/preview')
  @DescribePreview()
  preview(): never {
    throw new Error('Not implemented.');
  }

  @Post('suppliers/:code/process-actions')
  @DescribeAction()
  act(): never {
    throw new Error('Not implemented.');
  }
}
