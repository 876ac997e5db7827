-- When a lead was changed and met last, beside its score: with indexes here the lead's own row, which is large, can be
-- changed without a new entry in each of its indexes. Filled in batches behind this.
ALTER TABLE lead_scores ADD COLUMN updated_at double precision, ADD COLUMN last_interaction_at double precision;
CREATE INDEX lead_scores_unfilled ON lead_scores (account_id, rid) WHERE updated_at IS NULL;

-- For instances that know nothing of it; others write it themselves.
CREATE FUNCTION lead_scores_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT l.updated_at, l.last_interaction_at INTO NEW.updated_at, NEW.last_interaction_at
    FROM leads l WHERE l.account_id = NEW.account_id AND l.rid = NEW.rid;
  RETURN NEW;
END $$;
CREATE TRIGGER lead_scores_made BEFORE INSERT ON lead_scores
  FOR EACH ROW WHEN (NEW.updated_at IS NULL) EXECUTE FUNCTION lead_scores_made();
CREATE FUNCTION leads_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE lead_scores s SET updated_at = NEW.updated_at, last_interaction_at = NEW.last_interaction_at
    WHERE s.account_id = NEW.account_id AND s.rid = NEW.rid
      AND (s.updated_at, s.last_interaction_at) IS DISTINCT FROM (NEW.updated_at, NEW.last_interaction_at);
  RETURN NULL;
END $$;
CREATE TRIGGER leads_changed AFTER UPDATE OF updated_at, last_interaction_at ON leads FOR EACH ROW
  WHEN ((OLD.updated_at, OLD.last_interaction_at) IS DISTINCT FROM (NEW.updated_at, NEW.last_interaction_at))
  EXECUTE FUNCTION leads_changed();
