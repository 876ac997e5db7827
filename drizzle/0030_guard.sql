-- Whether calls of tools with the key ask before harm: `plan` shows first what they would do.
ALTER TABLE api_keys ADD COLUMN guard TEXT;
