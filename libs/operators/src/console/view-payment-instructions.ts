import { Injectable } from '@nestjs/common';
import { MAX_ID, type Statement } from '@portage/platform';
import { toMoment, toMomentOrNull } from './moments';
import { decodeCursor, encodeCursor, isId, type Page, type PageRequest } from './page-cursor';
import { AccountItem } from './page.dto';
import { PageReads } from './page-reads';

/** What has become of a request for a payment instruction. */
export const INSTRUCTION_OUTCOMES = ['waiting', 'stored', 'refused', 'unavailable', 'failed'] as const;
export type InstructionOutcomeName = (typeof INSTRUCTION_OUTCOMES)[number];

/** A request for a payment instruction. */
export interface InstructionRequestView extends AccountItem {
  /** `refused`: the vendor refused it. `unavailable`: the vendor did not answer. `failed`: the log has why. */
  outcome: InstructionOutcomeName;
  /** Why it was refused, or could not be verified. */
  error_code: string | null;
  received_at: string;
  finished_at: string | null;
}

interface InstructionRow {
  id: string;
  processId: string | null;
  externalAccountNumber: string;
  number: string;
  outcome: InstructionOutcomeName;
  errorCode: string | null;
  createdAt: string;
  finishedAt: string | null;
  examined: number;
}

/** Requests of all suppliers that one statement examines. */
const MAX_EXAMINED = 10_000;
const OUTCOME = `coalesce(account_request.outcome ->> 'kind', 'waiting')`;

const browse: Statement = {
  name: 'browse-payment-instructions',
  // One range of the index for each outcome that is wanted. Rows are compared, so that no other index is read.
  text: `
    WITH scanned AS MATERIALIZED (
      SELECT request.*, wanted.outcome FROM unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
        SELECT id, account_id, account_request.outcome ->> 'code' AS error_code, created_at, finished_at FROM account_request
        WHERE kind = 'payment-instruction' AND (${OUTCOME}, id) > (wanted.outcome, 0) AND (${OUTCOME}, id) < (wanted.outcome, $3)
        ORDER BY ${OUTCOME} DESC, id DESC LIMIT $4
      ) AS request
      ORDER BY id DESC LIMIT $4
    )
    (SELECT scanned.id, account.process_id, external_account_number, number, scanned.outcome, error_code,
      scanned.created_at, finished_at, 0 AS examined
    FROM scanned CROSS JOIN LATERAL (SELECT * FROM account WHERE account.id = account_id OFFSET 0) AS account
    WHERE supplier_id = $1 ORDER BY scanned.id DESC LIMIT $5)
    UNION ALL
    SELECT min(id), NULL, NULL, NULL, NULL, NULL, NULL, NULL, count(*)::integer FROM scanned`,
};

/** Lists requests for payment instructions by their outcome for operators. */
@Injectable()
export class ViewPaymentInstructions {
  constructor(private readonly reads: PageReads) {}

  /**
   * The requests of a supplier of the last REQUEST_MEMORY_HOURS, the newest first. One call examines at most 10,000, those of
   * other suppliers included, so that a page can have fewer than `limit` although more follow.
   *
   * @throws PortageError `not_found`, `validation_error`, `unavailable`
   */
  async list(
    code: string,
    outcome: InstructionOutcomeName | undefined,
    { limit, cursor }: PageRequest,
  ): Promise<Page<InstructionRequestView>> {
    const [before = MAX_ID] = cursor === undefined ? [] : decodeCursor(cursor, 1, ([id = '']) => isId(id));
    return this.reads.run(async (reads) => {
      const { id } = await this.reads.requireSupplier(code, reads);
      const outcomes = outcome === undefined ? INSTRUCTION_OUTCOMES : [outcome];
      const rows = await reads.run<InstructionRow>(browse, [id, outcomes, before, MAX_EXAMINED, limit]);
      const requests = rows.filter(({ processId }) => processId !== null);
      const end = rows.find(({ processId }) => processId === null);
      const last =
        requests.length === limit ? requests.at(-1) : end?.examined === MAX_EXAMINED ? end : undefined;
      return { items: requests.map(buildRequest), next_cursor: last ? encodeCursor([last.id]) : null };
    });
  }
}

function buildRequest(row: InstructionRow): InstructionRequestView {
  return {
    id: row.id,
    process_id: row.processId ?? '',
    external_account_number: row.externalAccountNumber,
    platform_account_number: row.number,
    outcome: row.outcome,
    error_code: row.errorCode,
    received_at: toMoment(row.createdAt),
    finished_at: toMomentOrNull(row.finishedAt),
  };
}
