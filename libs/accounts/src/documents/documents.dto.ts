import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { UnsettledState } from './retry-documents';

/** A document that was not found or not accepted, as its supplier sees it. */
@ApiSchema({ name: 'UnsettledDocument' })
export class DocumentView {
  @ApiProperty()
  external_account_number: string;

  @ApiProperty()
  platform_account_number: string;

  @ApiProperty({ description: 'Below the document root of the supplier.' })
  document_path: string;

  @ApiProperty({ type: String, enum: ['statement', 'note'] })
  kind: 'statement' | 'note';

  @ApiProperty({ type: String, enum: ['MISSING', 'REFUSED'] })
  state: UnsettledState;

  @ApiProperty({ type: String, nullable: true })
  error_code: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  inspected_at: string | null;
}
