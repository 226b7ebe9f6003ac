/** A period for which a supply point was charged; both days are inclusive. */
export interface ChargedPeriod {
  readonly start_date: string;
  readonly end_date: string;
}

/** A period for which a supply point is to be charged; both days are inclusive. */
export interface PeriodToCharge extends ChargedPeriod {
  readonly supplyPoint: string;
}

/** An account reference: a namespace and a value. */
export interface ReferenceValue {
  readonly namespace: string;
  readonly value: string;
}

/**
 * The port through which the rules of class `database` read stored data. Each method is called at most once for an
 * account, with all values of the account that it concerns, and never with an empty list. The account of the same
 * import process does not count as another account.
 */
export interface AccountLookups {
  /** The CAIS references that another account uses. */
  caisReferencesInUse(references: readonly string[]): Promise<ReadonlySet<string>>;
  /** The indexes in `references` of the references that another account has. */
  accountReferencesInUse(references: readonly ReferenceValue[]): Promise<ReadonlySet<number>>;
  /** The roles of the existing users with these e-mail addresses, by the address as passed. */
  rolesHeldBy(emails: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** For each of the `periods`, by its index, one period that was charged before and overlaps it, if there is any. */
  chargedPeriods(periods: readonly PeriodToCharge[]): Promise<ReadonlyMap<number, ChargedPeriod>>;
  /** The paths for which no file was uploaded. */
  missingFiles(paths: readonly string[]): Promise<ReadonlySet<string>>;
}
