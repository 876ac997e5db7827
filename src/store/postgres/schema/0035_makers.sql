-- Who a key, a link or a webhook came from, since none of them may do more than its maker, nor live longer.
ALTER TABLE api_keys ADD COLUMN maker text COLLATE "C";
ALTER TABLE links ADD COLUMN made_by text COLLATE "C";
ALTER TABLE webhooks ADD COLUMN made_by text COLLATE "C";

WITH RECURSIVE up (id, by) AS (
  SELECT id, issued_by FROM api_keys WHERE issued_by IS NOT NULL
  UNION SELECT up.id, k.issued_by FROM up JOIN api_keys k ON k.id = up.by WHERE k.issued_by IS NOT NULL
)
UPDATE api_keys SET maker = (SELECT m.id FROM up JOIN members m ON m.id = up.by WHERE up.id = api_keys.id);

UPDATE links SET made_by = coalesce(
  (SELECT k.id FROM api_keys k WHERE k.id = links.actor_id),
  (SELECT m.id FROM members m WHERE m.account_id = links.account_id AND m.name = links.actor_id)
);

-- Domains, with spaces between them, whose verified addresses sign in here with the provider of OpenID Connect.
ALTER TABLE accounts ADD COLUMN domains text COLLATE "C";
