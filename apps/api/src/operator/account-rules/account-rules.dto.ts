import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ListOf } from '@portage/operators';
import { ReferenceListSummary } from '@portage/tenants';
import { SchemaKeywords } from '../../openapi/schema-keywords';

/** The configured reference lists. */
export class ReferenceLists extends ListOf(ReferenceListSummary) {}

/** A reference list with its entries. */
export class ReferenceList {
  @ApiProperty()
  list: string;

  @ApiProperty({
    oneOf: [
      { type: 'array', items: {} },
      { type: 'object', additionalProperties: true },
    ],
    description: 'As they were imported: an array, or an object by key.',
  })
  entries: unknown;
}

@ApiSchema({ description: 'Lists by name, as `reference import` reads them from a file.' })
@SchemaKeywords({ additionalProperties: true })
export class ImportReferenceListsRequest {
  readonly [list: string]: unknown;
}

@ApiSchema({
  description: 'Settings of the account rules by name. In a change, null restores the default.',
})
@SchemaKeywords({ additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } })
export class InstanceSettings {
  readonly [setting: string]: unknown;
}
