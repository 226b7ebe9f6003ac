import { Controller, Get, Query } from '@nestjs/common';
import { SearchAudit } from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';
import { AuditPage, AuditQuery } from './audit.dto';

/** The audit. */
@Controller('operator/v1')
export class AuditController {
  constructor(private readonly audit: SearchAudit) {}

  @Get('audit')
  @OperatorEndpoint('viewer')
  async list(@Query() { limit, cursor, ...search }: AuditQuery): Promise<AuditPage> {
    return this.audit.search(search, { limit, cursor });
  }
}
