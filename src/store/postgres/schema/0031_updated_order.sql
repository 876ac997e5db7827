-- Leads that a transaction held while the others were filled.
UPDATE lead_scores s SET updated_at = l.updated_at, last_interaction_at = l.last_interaction_at FROM leads l
  WHERE s.updated_at IS NULL AND l.account_id = s.account_id AND l.rid = s.rid;
DROP INDEX lead_scores_unfilled;
CREATE INDEX lead_scores_by_updated_at ON lead_scores (account_id, updated_at, rid);
CREATE INDEX lead_scores_by_last_interaction_at ON lead_scores (account_id, last_interaction_at, rid);
DROP INDEX leads_by_updated_at;
DROP INDEX leads_by_last_interaction_at;

-- Room on each page for the next state of a lead, so that its indexes get no new entries; cleaned up before it is much.
ALTER TABLE leads SET (fillfactor = 72, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE lead_scores SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE lead_words SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE lead_texts SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE duplicate_queue SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
ALTER TABLE duplicate_due SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
ALTER TABLE accounts SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE request_counts SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
