-- The style of lists that a key's requests get; null follows the service.
ALTER TABLE api_keys ADD COLUMN list_style text;
