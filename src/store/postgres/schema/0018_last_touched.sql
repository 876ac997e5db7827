-- The latest push, change, note or contact, worked out of the columns that hold them.
ALTER TABLE leads ADD COLUMN last_touched_at double precision GENERATED ALWAYS AS (
  greatest(updated_at, last_interaction_at, last_note_at, last_contacted_at)
) STORED;
