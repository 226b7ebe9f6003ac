/** A stretch of time that a supply point was charged for; both days are included. */
export interface ChargedPeriod {
  readonly start_date: string;
  readonly end_date: string;
}

export interface ReferenceValue {
  readonly namespace: string;
  readonly value: string;
}

/**
 * What rules ask of everything that is stored: the port behind the rules of class `database`. Each question is
 * asked once an account, with all values of the account that it concerns and never with none; an answer is the
 * part of them for which it is "yes". Accounts of the same import process do not count as others.
 */
export interface AccountLookups {
  /** Which of these references of the credit data exchange stand on another account. */
  caisReferencesInUse(references: readonly string[]): Promise<ReadonlySet<string>>;
  /** Which of these references another account has, by their place in the question. */
  accountReferencesInUse(references: readonly ReferenceValue[]): Promise<ReadonlySet<number>>;
  /** Roles that the users with these e-mail addresses hold already, by the address as it was asked for. */
  rolesHeldBy(emails: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** What has been charged already, by supply point. */
  chargedPeriods(supplyPoints: readonly string[]): Promise<ReadonlyMap<string, readonly ChargedPeriod[]>>;
  /** Which of these paths no file was uploaded under. */
  missingFiles(paths: readonly string[]): Promise<ReadonlySet<string>>;
}
