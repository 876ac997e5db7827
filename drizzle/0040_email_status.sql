-- What is known of a lead's email, and up to which lead of an account it was looked up whether domains take mail.
ALTER TABLE leads ADD COLUMN email_status TEXT;
ALTER TABLE accounts ADD COLUMN mail_looked TEXT;
