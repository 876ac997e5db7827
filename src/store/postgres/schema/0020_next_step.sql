-- Whose lead it is, what is to be done next and when, for which step a reminder was sent, and names of the statuses.
ALTER TABLE leads ADD COLUMN owner text COLLATE "C";
ALTER TABLE leads ADD COLUMN next_step text COLLATE "C";
ALTER TABLE leads ADD COLUMN next_step_at double precision;
ALTER TABLE leads ADD COLUMN due_told_at double precision;
CREATE INDEX leads_due ON leads (account_id, next_step_at)
  WHERE next_step_at IS NOT NULL AND (due_told_at IS NULL OR due_told_at <> next_step_at);
ALTER TABLE accounts ADD COLUMN statuses text;
