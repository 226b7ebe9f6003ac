import { anyOf, type Statement } from '@portage/platform';
import { LINE_MEASURES, sqlTypeOf } from '../submission-lines/measures';

const MEASURES = LINE_MEASURES.join(', ');

const MEASURE_TYPES = LINE_MEASURES.map((measure) => `${measure} ${sqlTypeOf(measure)}`).join(', ');

const measuresOf = (row: string) => LINE_MEASURES.map((measure) => `${row}.${measure}`).join(', ');

const SUBMISSION = '$17::bigint';
const [UPLOAD, LINES, OTHER_LINES] = ['$18::integer', '$19::json', '$20::json'];
const [REFUSED_COUNT, REPEATED_COUNT] = ['$21::integer', '$22::integer'];
const [UNCHANGED_COUNT, CORRECTION_COUNT] = ['$23::integer', '$24::integer'];

/** The common table expressions that only batches with lines of submissions need. */
interface LineParts {
  /** Locks the open submission of an upload as `target (id, supplier_id)`. */
  target: string;
  /** Writes the lines of the `written` processes, the lines without one and the counters of the upload. */
  lines: string;
}

/**
 * The statement that writes pending processes with their payloads and events. Rows are written in the order of their
 * names or ids, and the counters of an upload last, so that two batches do not wait for each other in a circle.
 */
function writeStatement(name: string, parts?: LineParts): Statement {
  return {
    name,
    // ON CONFLICT without a target covers both names. The payloads are one JSON array, whose elements are stored
    // unchanged: escaping each for a text[] is slower.
    text: `
    WITH ${parts ? `${parts.target}, ` : ''}sent AS MATERIALIZED (
      SELECT * FROM ROWS FROM (unnest((SELECT $1::integer[])), unnest((SELECT $2::text[])), unnest((SELECT $3::text[])), unnest((SELECT $4::boolean[])),
        unnest((SELECT $5::timestamptz[])), unnest((SELECT $6::timestamptz[])), unnest((SELECT $7::text[])), unnest((SELECT $8::bytea[])),
        unnest((SELECT $9::bytea[])), json_array_elements($10::json), unnest((SELECT $11::bigint[])), unnest((SELECT $12::text[])),
        unnest((SELECT $13::bigint[])), unnest((SELECT $14::bigint[])), unnest((SELECT $15::integer[])), unnest((SELECT $16::text[]))) WITH ORDINALITY
        AS sent (supplier_id, external_account_number, external_identifier, is_dry_run, schedule_window_start,
          schedule_window_end, staging, payload_hash, payload_digest, payload, context_digest, actor, batch_id,
          process_id, replaced_version, replaced_status, ordinal)${
            parts
              ? `
      WHERE ${SUBMISSION} IS NULL OR EXISTS (SELECT FROM target)`
              : ''
          }
    ), inserted AS (
      INSERT INTO import_process (supplier_id, external_account_number, external_identifier, is_dry_run,
        schedule_window_start, schedule_window_end, staging, payload_hash, payload_digest, batch_id, status,
        latest_event, enqueued_at, submission_id)
      SELECT supplier_id, external_account_number, external_identifier, is_dry_run, schedule_window_start,
        schedule_window_end, staging, payload_hash, payload_digest, batch_id, 'PENDING', 'CREATED',
        CASE WHEN staging IS NULL THEN greatest(now(), schedule_window_start) ELSE 'infinity' END, ${SUBMISSION}
      FROM sent WHERE process_id IS NULL
      ON CONFLICT DO NOTHING
      RETURNING id, version, attempt, submission_id, supplier_id, external_account_number
    ), locked AS MATERIALIZED (
      SELECT id, payload_digest FROM import_process WHERE id = ${anyOf('$14::bigint[]')} ORDER BY id FOR NO KEY UPDATE
    ), replaced AS (
      UPDATE import_process process SET
        version = version + 1, attempt = 0, status = 'PENDING', external_identifier = sent.external_identifier,
        is_dry_run = sent.is_dry_run, is_released = false, staging = sent.staging,
        schedule_window_start = sent.schedule_window_start, schedule_window_end = sent.schedule_window_end,
        payload_hash = sent.payload_hash, payload_digest = sent.payload_digest, latest_event = 'CREATED',
        latest_event_at = now(), error_code = NULL, error_detail = NULL, error_fields = NULL,
        batch_id = sent.batch_id, modified_at = now(),
        enqueued_at = CASE WHEN sent.staging IS NULL THEN greatest(now(), sent.schedule_window_start) ELSE 'infinity' END,
        submission_id = coalesce(${SUBMISSION}, process.submission_id)
      FROM sent JOIN locked ON locked.id = sent.process_id
      WHERE process.id = sent.process_id AND process.version = sent.replaced_version
        AND process.status = sent.replaced_status
      RETURNING process.id, process.version, process.attempt, process.submission_id, process.supplier_id,
        process.external_account_number
    ), written AS MATERIALIZED (
      SELECT accepted.id, accepted.version, accepted.attempt, accepted.submission_id, sent.*
      FROM (SELECT * FROM inserted UNION ALL SELECT * FROM replaced) accepted
        JOIN sent USING (supplier_id, external_account_number)
    ), resumed AS (
      UPDATE submission SET finished_at = NULL
      WHERE finished_at IS NOT NULL AND id = ANY(ARRAY(SELECT submission_id FROM replaced))
    ), payloads AS (
      INSERT INTO import_process_payload AS old (process_id, payload, context_digest)
      SELECT id, payload, context_digest FROM written
      ON CONFLICT (process_id) DO UPDATE SET payload = excluded.payload, received_at = now(),
        context_digest = excluded.context_digest
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, CASE WHEN staging IS NULL THEN 'SCHEDULED' ELSE 'STAGED' END, actor FROM written
    )${parts ? `, ${parts.lines}` : ''}
    SELECT ordinal::integer AS item, id AS process_id, version FROM written${
      parts
        ? `
    UNION ALL
    SELECT 0, id, NULL FROM target`
        : ''
    }`,
  };
}

/** For accounts that no submission has. */
export const writeAccounts = writeStatement('write-pending-processes');

const KEY_OF_LINE = `sha256(convert_to(line.external_account_number, 'UTF8'))`;

/**
 * For accounts with a line in a submission, and for the refused and the repeated lines of an upload. Each account has at
 * most one line with its process and one without, in each submission.
 */
export const writeLines = writeStatement('write-pending-processes-of-submission', {
  // The lock keeps the submission open until the batch is committed.
  target: `target AS MATERIALIZED (
      SELECT id, supplier_id FROM submission WHERE id = ${SUBMISSION} AND status = 'OPEN' FOR SHARE
    )`,
  lines: `line AS MATERIALIZED (
      SELECT written.id, written.submission_id, written.external_account_number, written.process_id IS NOT NULL AS is_replaced,
        line.line, ${measuresOf('line')}
      FROM written JOIN json_to_recordset(${LINES}) AS line (ordinal bigint, line integer, ${MEASURE_TYPES}) USING (ordinal)
    ), former AS MATERIALIZED (
      SELECT line.id, line.external_account_number, ${KEY_OF_LINE} AS key, locked.payload_digest,
        submission_line.submission_id
      FROM line JOIN locked USING (id) JOIN submission_line ON submission_line.process_id = line.id
      WHERE line.is_replaced AND submission_line.submission_id <> line.submission_id
    ), outdated AS (
      -- The line that is taken over becomes the one without a process.
      DELETE FROM submission_line USING former
      WHERE submission_line.submission_id = former.submission_id AND refused_key = former.key
      RETURNING former.id
    ), taken_over AS (
      UPDATE submission_line SET process_id = NULL, outcome = 'cancelled', refused_key = former.key,
        payload_digest = former.payload_digest, external_account_number = former.external_account_number, errors = json_build_array(json_build_object(
          'code', 'account_taken_over', 'detail',
          'Submission ' || ${SUBMISSION} || ' has sent this account since. Read its outcome there.', 'attr', NULL))
      FROM former
      WHERE submission_line.process_id = former.id AND (SELECT count(*) FROM outdated) >= 0
      RETURNING former.id
    ), moved AS (
      UPDATE submission_line SET upload_number = coalesce(${UPLOAD}, upload_number),
        line = coalesce(line.line, submission_line.line), (${MEASURES}) = ROW (${measuresOf('line')})
      FROM line
      WHERE line.is_replaced AND submission_line.process_id = line.id AND submission_line.submission_id = line.submission_id
      RETURNING line.id
    ), added AS (
      -- Counts both updates first, so that no line has the process any more.
      INSERT INTO submission_line (submission_id, upload_number, line, process_id, ${MEASURES})
      SELECT target.id, ${UPLOAD}, line, line.id, ${MEASURES} FROM target CROSS JOIN line
      WHERE line.id NOT IN (SELECT id FROM moved) AND (SELECT count(*) FROM taken_over) >= 0
    ), accepted_after_all AS (
      DELETE FROM submission_line
      WHERE submission_id = ${SUBMISSION}
        AND refused_key = ANY(ARRAY(
          SELECT ${KEY_OF_LINE} FROM line
          UNION ALL
          SELECT sha256(convert_to('imported ' || line.external_account_number, 'UTF8')) FROM line
        ))
    ), other AS (
      INSERT INTO submission_line AS old (submission_id, upload_number, line, external_account_number, refused_key,
        refused_supplier_id, imported_process_id, outcome, errors, payload_digest, ${MEASURES})
      SELECT target.id, ${UPLOAD}, line, external_account_number, decode(refused_key, 'hex'),
        CASE outcome WHEN 'refused' THEN target.supplier_id END, imported_process_id, outcome, errors, decode(payload_digest, 'hex'),
        ${MEASURES}
      FROM target CROSS JOIN json_to_recordset(${OTHER_LINES}) AS other (line integer, external_account_number text,
        refused_key text, outcome text, errors json, payload_digest text, repeated_process_id bigint,
        imported_process_id bigint, ${MEASURE_TYPES})
      -- A line with the number of the one that it repeats is the same line of a file that was sent again.
      WHERE NOT EXISTS (
        SELECT FROM submission_line counting
        WHERE counting.process_id = other.repeated_process_id AND counting.line = other.line
      )
      ORDER BY refused_key
      ON CONFLICT (submission_id, refused_key) WHERE refused_key IS NOT NULL DO UPDATE SET
        upload_number = excluded.upload_number, line = excluded.line, outcome = excluded.outcome,
        external_account_number = excluded.external_account_number, errors = excluded.errors,
        payload_digest = excluded.payload_digest, refused_supplier_id = excluded.refused_supplier_id,
        imported_process_id = excluded.imported_process_id,
        (${MEASURES}) = ROW (${measuresOf('excluded')})
      WHERE excluded.outcome IN ('refused', 'correction') OR old.outcome IN ('repeated', 'unchanged')
      RETURNING line
    ), counted AS (
      UPDATE submission_upload SET
        lines = lines + (SELECT count(*) FROM line) + ${REFUSED_COUNT} + ${REPEATED_COUNT} + ${UNCHANGED_COUNT}
          + ${CORRECTION_COUNT},
        accepted = accepted + (SELECT count(*) FROM line), refused = refused + ${REFUSED_COUNT},
        repeated = repeated + ${REPEATED_COUNT}, unchanged = unchanged + ${UNCHANGED_COUNT},
        corrections = corrections + ${CORRECTION_COUNT}, renewed_at = now()
      WHERE submission_id = (SELECT id FROM target) AND number = ${UPLOAD}
        AND (SELECT count(*) FROM taken_over) >= 0 AND (SELECT count(*) FROM other) >= 0
    )`,
});
