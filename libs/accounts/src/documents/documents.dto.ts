import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { ListedDocumentState } from './document.repository';

/** A document that is not stored, as its supplier sees it. */
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

  @ApiProperty({
    type: String,
    enum: ['MISSING', 'PENDING', 'REFUSED'],
    description:
      'MISSING: it was not found in the time for which it is looked for. PENDING: it was not found so far, or nothing has looked for it yet. REFUSED: it is there, and not what it should be.',
  })
  state: ListedDocumentState;

  @ApiProperty({ type: String, nullable: true })
  error_code: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  inspected_at: string | null;
}

/** A document that was uploaded. */
@ApiSchema({ name: 'UploadedDocument' })
export class UploadedDocumentView {
  @ApiProperty({ description: 'Below the document root of the supplier.' })
  document_path: string;

  @ApiProperty({ type: 'integer', description: 'In bytes.' })
  size: number;

  @ApiProperty({ description: 'SHA-256 of the content, in hexadecimal digits.' })
  sha256: string;

  @ApiProperty({
    type: String,
    enum: ['CREATED', 'EXISTING', 'REPLACED'],
    description:
      'CREATED: there was no document of this path. EXISTING: it was there with the same content. REPLACED: it was there with other content, which no account had.',
  })
  outcome: 'CREATED' | 'EXISTING' | 'REPLACED';
}
