-- The latest push, change, note or contact, worked out of the columns that hold them where it is read.
ALTER TABLE leads ADD COLUMN last_touched_at INTEGER GENERATED ALWAYS AS (
  max(updated_at, last_interaction_at, coalesce(last_note_at, 0), coalesce(last_contacted_at, 0))
) VIRTUAL;
