import { IsObject, IsOptional } from 'class-validator';
import { Day, Email, ListOf, Moment, OneOf, Phone, Required, Text, Texts, YesOrNo } from './fields';

export class MetadataDto {
  @Required(128) key: string;
  @IsOptional() @IsObject() value?: Record<string, unknown>;
}

export class ConsentDto {
  @Required(64) type: string;
  @OneOf('ACCEPTED', 'REJECTED', 'UNKNOWN') value?: string;
  @Moment() signed_at?: string;
}

export class PriorityServicesDto {
  @Text(8) elec_industry_code?: string;
  @Text(8) gas_industry_code?: string;
  @Moment() effective_from?: string;
}

export class AlternativePhoneDto {
  @Phone() phone_number?: string;
}

export class CustomerDto {
  @Text(32) title?: string;
  @Text() given_name?: string;
  @Text() family_name?: string;
  @Text() salutation?: string;
  @Email() email?: string;
  @Phone() mobile?: string;
  @Phone() landline?: string;
  @Day() date_of_birth?: string | null;
  @Texts() portfolio_roles?: string[];
  @ListOf(() => ConsentDto) consents?: ConsentDto[];
  @ListOf(() => PriorityServicesDto) psr?: PriorityServicesDto[];
  @ListOf(() => AlternativePhoneDto) alternative_phone_numbers?: AlternativePhoneDto[];
  @ListOf(() => MetadataDto) metadata?: MetadataDto[];
  @YesOrNo() unable_to_read_meters?: boolean;
  @Text(128) user_identifier?: string;
}
