-- Who sent a post, as a hash of the address: of too many posts those of the sender with most of them go first.
ALTER TABLE form_posts ADD COLUMN sender TEXT;
CREATE INDEX form_posts_sender ON form_posts (account_id, form_id, state, reason, sender, rid);
