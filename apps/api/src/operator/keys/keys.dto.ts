import type { List } from '@portage/operators';
import { AnyTextField } from '../../http/fields';

/** An organisation. */
export interface OrganisationView {
  name: string;
  created_at: string;
}

/** An API key, without its secret. */
export interface ApiKeyView {
  prefix: string;
  organisation: string;
  created_at: string;
  revoked_at: string | null;
}

/** A new API key. */
export interface IssuedApiKey {
  prefix: string;
  /** Shown once. */
  api_key: string;
}

/** The organisations. */
export type OrganisationList = List<OrganisationView>;

/** The keys of an organisation. */
export type ApiKeyList = List<ApiKeyView>;

/** The body that creates an organisation. */
export class CreateOrganisationRequest {
  @AnyTextField({ required: true, description: '1 to 128 characters.' })
  name: string;
}
