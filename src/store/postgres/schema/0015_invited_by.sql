-- The key or member whose invitation is open: it ends with them.
ALTER TABLE members ADD COLUMN invited_by text;
