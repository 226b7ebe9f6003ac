import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Account requests, which a worker performs while the API waits, and idempotency keys. */
export class AccountRequests1795305660000 implements MigrationInterface {
  readonly name = 'AccountRequests1795305660000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_request (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organisation_id integer NOT NULL REFERENCES organisation,
        account_id bigint NOT NULL REFERENCES account,
        kind text NOT NULL CHECK (kind IN ('transactions', 'payment-instruction')),
        -- Hash of everything that the outcome depends on: equal requests have equal fingerprints.
        fingerprint bytea NOT NULL,
        idempotency_key text,
        status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'DONE')),
        attempt integer NOT NULL DEFAULT 0,
        -- json, not jsonb: amounts stay as they were sent. Null once the outcome is stored.
        input json,
        outcome json,
        enqueued_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        CHECK ((status = 'DONE') = (outcome IS NOT NULL)),
        CHECK ((status = 'PENDING') = (input IS NOT NULL))
      );
      -- An equal request that arrives while one is in flight joins it.
      CREATE UNIQUE INDEX account_request_in_flight ON account_request (account_id, kind, fingerprint)
        WHERE status = 'PENDING' AND idempotency_key IS NULL;
      CREATE UNIQUE INDEX account_request_key ON account_request (organisation_id, idempotency_key)
        WHERE idempotency_key IS NOT NULL;
      CREATE INDEX account_request_account ON account_request (account_id);
      CREATE INDEX account_request_pending ON account_request (enqueued_at) WHERE status = 'PENDING';
      CREATE INDEX account_request_finished ON account_request (finished_at) WHERE status = 'DONE';

      -- Answers to requests with an Idempotency-Key, stored in the transaction that did the work.
      CREATE TABLE idempotency_key (
        organisation_id integer NOT NULL REFERENCES organisation,
        key text NOT NULL,
        endpoint text NOT NULL,
        fingerprint bytea NOT NULL,
        answer json NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (organisation_id, key)
      );
      CREATE INDEX idempotency_key_age ON idempotency_key (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_key, account_request');
  }
}
