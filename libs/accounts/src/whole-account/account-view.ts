import type { WholeAccount } from './account-inspection.repository';

/** Returns the rows that belong to the ledger. */
function rowsOf<Row extends { ledgerPosition: number }>(ledger: { position: number }, rows: Row[]): Row[] {
  return rows.filter((row) => row.ledgerPosition === ledger.position);
}

/** A stored account with the field names of the contract, as `account show --json` and the operator API show it. */
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
    customers: whole.customers.map((customer) => ({
      user_identifier: customer.userIdentifier,
      title: customer.title,
      given_name: customer.givenName,
      family_name: customer.familyName,
      email: customer.email,
      mobile: customer.mobile,
      landline: customer.landline,
      date_of_birth: customer.dateOfBirth,
      ...customer.details,
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
        .map((agreement) => ({
          tariff_code: agreement.tariffCode,
          effective_from: agreement.effectiveFrom,
          effective_to: agreement.effectiveTo,
          ...agreement.details,
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
          .map((transaction) => ({
            transaction_id: transaction.transactionId,
            transaction_date: transaction.transactionDate,
            original_date: transaction.originalDate,
            adjustment: transaction.adjustment,
            type: transaction.type,
            amount: transaction.amount,
            reason: transaction.reason,
            ...transaction.details,
            posted_by: transaction.actor,
          })),
      })),
    })),
    debts: whole.debts.map((debt) => ({ cais_reference: debt.caisReference, ...debt.details })),
    payment_instructions: whole.paymentInstructions.map((instruction) => ({
      type: instruction.type,
      vendor: instruction.vendor,
      reference: instruction.reference,
      customer_reference: instruction.customerReference,
      instruction_identifier: instruction.instructionIdentifier,
      ledger_code: instruction.ledgerCode,
      is_active: instruction.isActive,
      verified_at: instruction.verifiedAt,
      ...instruction.details,
      posted_by: instruction.actor,
    })),
    notes: whole.notes.map((note) => ({
      body: note.body,
      created_at: note.createdAt,
      external_id: note.externalId,
      is_pinned: note.isPinned,
      unpin_at: note.unpinAt,
      is_archived: note.isArchived,
      document_paths: note.documentPaths,
      posted_by: note.actor,
    })),
    historical_statements: whole.historicalStatements.map((statement) => ({
      statement_id: statement.statementId,
      bill_period_from_date: statement.billPeriodFromDate,
      bill_period_to_date: statement.billPeriodToDate,
      issued_date: statement.issuedDate,
      number: statement.number,
      gross_amount: statement.grossAmount,
      statement_path: statement.statementPath,
      posted_by: statement.actor,
    })),
    documents: whole.documents.map((document) => ({
      path: document.path,
      kind: document.kind,
      state: document.state,
      size: document.size === null ? null : Number(document.size),
      media_type: document.mediaType,
      sha256: document.sha256?.toString('hex') ?? null,
      error_code: document.errorCode,
      inspected_at: document.inspectedAt,
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
