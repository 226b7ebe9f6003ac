import type { WholeAccount } from '@portage/database';

/** Returns the rows that belong to the ledger. */
function rowsOf<Row extends { ledgerPosition: number }>(ledger: { position: number }, rows: Row[]): Row[] {
  return rows.filter((row) => row.ledgerPosition === ledger.position);
}

/** A stored account with the field names of the contract, as `account show --json` prints it. */
export function toAccountView(whole: WholeAccount) {
  const { account, supplier, payload } = whole;
  return {
    platform_account_number: account.number,
    import_supplier: supplier.code,
    external_account_number: account.externalAccountNumber,
    external_identifier: account.externalIdentifier,
    account_type: account.accountType,
    created_at: account.createdAt,
    payload_received_at: payload?.receivedAt ?? null,
    payload_erased_at: account.payloadErasedAt,
    erased_at: account.erasedAt,
    ...account.billing,
    ...account.details,
    customers: whole.customers.map((one) => ({
      user_identifier: one.userIdentifier,
      title: one.title,
      given_name: one.givenName,
      family_name: one.familyName,
      email: one.email,
      mobile: one.mobile,
      landline: one.landline,
      date_of_birth: one.dateOfBirth,
      ...one.details,
    })),
    references: whole.references.map(({ namespace, value }) => ({ namespace, value })),
    supply_points: whole.supplyPoints.map((point) => ({
      supply_type: point.supplyType,
      identifier: point.identifier,
      supply_address: point.supplyAddressPosition,
      supply_start_date: point.supplyStartDate,
      supply_end_date: point.supplyEndDate,
      last_billed_to_date: point.lastBilledToDate,
      ...point.details,
      meters: point.meters,
      agreements: whole.agreements
        .filter(({ supplyPointPosition }) => supplyPointPosition === point.position)
        .map((one) => ({
          tariff_code: one.tariffCode,
          effective_from: one.effectiveFrom,
          effective_to: one.effectiveTo,
          ...one.details,
        })),
    })),
    ledgers: whole.ledgers.map((ledger) => ({
      ledger_code: ledger.ledgerCode,
      ledger_identifier: ledger.ledgerIdentifier,
      balance: ledger.balance,
      ...ledger.details,
      statement_periods: rowsOf(ledger, whole.statementPeriods).map((period) => ({
        start_date: period.startDate,
        end_date: period.endDate,
        is_open: period.closedAt === null,
        closed_at: period.closedAt,
        closing_balance: period.closingBalance,
        transactions: rowsOf(ledger, whole.transactions)
          .filter(({ periodPosition }) => periodPosition === period.position)
          .map((one) => ({
            transaction_id: one.transactionId,
            transaction_date: one.transactionDate,
            original_date: one.originalDate,
            adjustment: one.adjustment,
            type: one.type,
            amount: one.amount,
            reason: one.reason,
            ...one.details,
          })),
      })),
    })),
    debts: whole.debts.map((one) => ({ cais_reference: one.caisReference, ...one.details })),
    payment_instructions: whole.paymentInstructions.map((one) => ({
      type: one.type,
      vendor: one.vendor,
      reference: one.reference,
      customer_reference: one.customerReference,
      instruction_identifier: one.instructionIdentifier,
      ledger_code: one.ledgerCode,
      is_active: one.isActive,
      verified_at: one.verifiedAt,
      ...one.details,
    })),
    notes: whole.notes.map((one) => ({
      body: one.body,
      created_at: one.createdAt,
      external_id: one.externalId,
      is_pinned: one.isPinned,
      unpin_at: one.unpinAt,
      is_archived: one.isArchived,
      document_paths: one.documentPaths,
    })),
    historical_statements: whole.historicalStatements.map((one) => ({
      statement_id: one.statementId,
      bill_period_from_date: one.billPeriodFromDate,
      bill_period_to_date: one.billPeriodToDate,
      issued_date: one.issuedDate,
      number: one.number,
      gross_amount: one.grossAmount,
      statement_path: one.statementPath,
    })),
    documents: whole.documents.map((one) => ({
      path: one.path,
      kind: one.kind,
      state: one.state,
      size: one.size === null ? null : Number(one.size),
      media_type: one.mediaType,
      sha256: one.sha256?.toString('hex') ?? null,
      error_code: one.errorCode,
      inspected_at: one.inspectedAt,
    })),
    welcome_email: whole.welcomeEmail && {
      recipient: whole.welcomeEmail.recipient,
      subject: whole.welcomeEmail.subject,
      state: whole.welcomeEmail.state,
      error_code: whole.welcomeEmail.errorCode,
      sent_at: whole.welcomeEmail.sentAt,
    },
  };
}

/** A stored account with the field names of the contract. */
export type AccountView = ReturnType<typeof toAccountView>;
