-- The secret that a webhook had before, and until when (Unix seconds) what is sent is signed with it, too.
ALTER TABLE webhooks ADD COLUMN previous_secret TEXT;
ALTER TABLE webhooks ADD COLUMN previous_until INTEGER;
