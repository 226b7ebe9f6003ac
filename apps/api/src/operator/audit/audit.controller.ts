import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SearchAudit } from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';
import { AuditPage, AuditQuery } from './audit.dto';
import { exampleAuditEntry } from './audit.examples';

/** The audit. */
@ApiTags('Audit')
@Controller('operator/v1')
export class AuditController {
  constructor(private readonly audit: SearchAudit) {}

  @Get('audit')
  @OperatorEndpoint({
    id: 'listAudit',
    role: 'viewer',
    summary: 'Search the audit, the newest entry first',
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'A page of entries.',
    type: AuditPage,
    example: { items: [exampleAuditEntry], next_cursor: null },
  })
  async list(@Query() { limit, cursor, ...search }: AuditQuery): Promise<AuditPage> {
    return this.audit.search(search, { limit, cursor });
  }
}
