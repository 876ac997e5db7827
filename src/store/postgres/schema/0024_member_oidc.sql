-- Members who sign in with the provider of OpenID Connect, by the issuer and the subject there.
ALTER TABLE members ADD COLUMN oidc_subject text;
CREATE UNIQUE INDEX members_oidc ON members (oidc_subject) WHERE oidc_subject IS NOT NULL;
