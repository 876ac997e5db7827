-- Bytes that an account keeps in leads, notes and its trail, kept up by every write. Small accounts are counted here;
-- for large ones from before this is an estimate, as counting them would hold up the start.
ALTER TABLE accounts ADD COLUMN storage_limit INTEGER;
ALTER TABLE accounts ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET stored_bytes = lead_count * 1000 WHERE lead_count > 1000;
UPDATE accounts SET stored_bytes = (
  SELECT coalesce(sum(octet_length(d.data)), 0) FROM leads l JOIN lead_documents d ON d.rid = l.rid
  WHERE l.account_id = accounts.key
) WHERE lead_count <= 1000;
