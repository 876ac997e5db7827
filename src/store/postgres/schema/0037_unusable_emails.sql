-- Emails without a dot in the domain are no addresses: several leads may have the same one.
DROP INDEX leads_email;
CREATE UNIQUE INDEX leads_email ON leads (account_id, md5(email), (CASE WHEN strpos(substr(email, strpos(email, '@')), '.') > 0 THEN 0 ELSE rid END))
  WHERE email IS NOT NULL;
