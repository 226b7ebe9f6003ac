import { Controller, Get, Query } from '@nestjs/common';
import { AUDIT_ACTIONS } from '@portage/domain';
import { type AuditEntryView, type Page, SearchAudit } from '@portage/importing';
import { readQuery } from '../read-input';
import { DescribeAudit } from './audit.openapi';

/** The audit. */
@Controller('operator/v1')
export class AuditController {
  constructor(private readonly audit: SearchAudit) {}

  @Get('audit')
  @DescribeAudit()
  async list(@Query() query: Record<string, unknown>): Promise<Page<AuditEntryView>> {
    const { search, page } = readQuery(query, (reader) => ({
      page: reader.page(),
      search: {
        since: reader.moment('since'),
        until: reader.moment('until'),
        supplier: reader.text('supplier', { max: 128 }),
        actor: reader.text('actor', { max: 128 }),
        action: reader.choice('action', AUDIT_ACTIONS),
      },
    }));
    return this.audit.search(search, page);
  }
}
