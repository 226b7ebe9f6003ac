import { SupplierField } from '../http/fields';

/** The query of the list of endpoints. */
export class WebhookEndpointsQuery {
  @SupplierField()
  supplier: string;
}
