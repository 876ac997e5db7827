-- How long the process that runs an import is known to live (Unix milliseconds); a job has a lease of its own.
ALTER TABLE imports ADD COLUMN alive_until bigint;
CREATE INDEX imports_running ON imports (alive_until) WHERE state = 'running';

-- The import that the request behind a mark runs, and the bytes of an answer that count against the account's storage.
ALTER TABLE idempotent_answers ADD COLUMN import_id text;
ALTER TABLE idempotent_answers ADD COLUMN counted bigint NOT NULL DEFAULT 0;
