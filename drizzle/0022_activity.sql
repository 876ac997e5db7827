-- What was done with a lead: columns of `leads` are searched and sorted by, `lead_scores` has the same as members of JSON,
-- NULL where nothing was done. `contacted_at` is when the status became contacted last, `last_contacted_at` the later of
-- that and the newest note. Only leads with notes are written here.
ALTER TABLE leads ADD COLUMN last_note_at INTEGER;
ALTER TABLE leads ADD COLUMN note_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE leads ADD COLUMN last_contacted_at INTEGER;
ALTER TABLE leads ADD COLUMN contacted_at INTEGER;
ALTER TABLE lead_scores ADD COLUMN activity TEXT;
UPDATE leads SET note_count = n.count, last_note_at = n.newest, last_contacted_at = n.newest
  FROM (SELECT lead_rid, count(*) AS count, max(created_at) AS newest FROM notes GROUP BY lead_rid) n
  WHERE leads.rid = n.lead_rid;
UPDATE lead_scores SET activity = (
  SELECT '"last_note_at":' || last_note_at || ',"note_count":' || note_count || ',"last_contacted_at":' || last_contacted_at
  FROM leads WHERE leads.rid = lead_scores.rid
) WHERE rid IN (SELECT lead_rid FROM notes);
