/** Identifies an account in job payloads: its organisation, which shares the queues, and its names for operators. */
export interface AccountLabel {
  organisationId: number;
  supplier: string;
  externalAccountNumber: string;
}
