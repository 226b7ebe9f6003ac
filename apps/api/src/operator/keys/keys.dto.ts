import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ListOf } from '@portage/operators';
import { AnyTextField } from '../../http/fields';

/** An organisation. */
@ApiSchema({ name: 'Organisation' })
export class OrganisationView {
  @ApiProperty()
  name: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

/** An API key, without its secret. */
@ApiSchema({ name: 'ApiKey' })
export class ApiKeyView {
  @ApiProperty()
  prefix: string;

  @ApiProperty()
  organisation: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  revoked_at: string | null;
}

/** A new API key. */
export class IssuedApiKey {
  @ApiProperty()
  prefix: string;

  @ApiProperty({ description: 'Shown once.' })
  api_key: string;
}

/** The organisations. */
export class OrganisationList extends ListOf(OrganisationView) {}

/** The keys of an organisation. */
export class ApiKeyList extends ListOf(ApiKeyView) {}

/** The body that creates an organisation. */
export class CreateOrganisationRequest {
  @AnyTextField({ required: true, description: '1 to 128 characters.' })
  name: string;
}
