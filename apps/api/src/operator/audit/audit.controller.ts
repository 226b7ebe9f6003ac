import { Controller, Get } from '@nestjs/common';
import { DescribeAudit } from './audit.openapi';

/** The audit. */
@Controller('operator/v1')
export class AuditController {
  @Get('audit')
  @DescribeAudit()
  list(): never {
    throw new Error('Not implemented.');
  }
}
