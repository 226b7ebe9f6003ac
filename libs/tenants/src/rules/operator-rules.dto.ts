import { ApiProperty } from '@nestjs/swagger';

/** A configured reference list. */
export class ReferenceListSummary {
  @ApiProperty()
  list: string;

  @ApiProperty({ type: 'integer' })
  entries: number;

  @ApiProperty({ format: 'date-time' })
  imported_at: string;
}
