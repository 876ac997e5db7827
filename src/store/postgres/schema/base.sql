-- The schema that a new database gets: what the migrations of before 2.0 came to.
CREATE FUNCTION lead_document(data text, fields text[]) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$
  SELECT '{' || string_agg(to_json(f.name)::text || ':' || coalesce((data::json -> f.name)::text, 'null'), ',' ORDER BY f.n) || '}'
  FROM unnest(fields) WITH ORDINALITY AS f (name, n)
$$;
CREATE FUNCTION lead_scores_made() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
BEGIN
  SELECT l.updated_at, l.last_interaction_at INTO NEW.updated_at, NEW.last_interaction_at
    FROM leads l WHERE l.account_id = NEW.account_id AND l.rid = NEW.rid;
  RETURN NEW;
END $$;
CREATE FUNCTION leads_changed() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
BEGIN
  UPDATE lead_scores s SET updated_at = NEW.updated_at, last_interaction_at = NEW.last_interaction_at
    WHERE s.account_id = NEW.account_id AND s.rid = NEW.rid
      AND (s.updated_at, s.last_interaction_at) IS DISTINCT FROM (NEW.updated_at, NEW.last_interaction_at);
  RETURN NULL;
END $$;
CREATE TABLE accounts (
  key bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL COLLATE "C", name text NOT NULL, plan text NOT NULL, leads_limit bigint,
  requests_limit bigint, batch_limit bigint, storage_limit bigint, lead_count bigint DEFAULT 0 NOT NULL, stored_bytes bigint DEFAULT 0 NOT NULL,
  lead_head bigint DEFAULT 0 NOT NULL, trail_head bigint DEFAULT 0 NOT NULL, trail_floor bigint DEFAULT 0 NOT NULL,
  rules_revision bigint DEFAULT 0 NOT NULL, segments_heard bigint DEFAULT 0 NOT NULL, last_id text DEFAULT '' NOT NULL COLLATE "C",
  changes_keep bigint, default_country text, phones_from text COLLATE "C", scoring_lease text, scoring_leased_until bigint,
  created_at bigint NOT NULL, statuses text, suppression_count bigint DEFAULT 0 NOT NULL, suppressed_kinds bigint DEFAULT 0 NOT NULL,
  mail_looked text COLLATE "C", domains text COLLATE "C", time_zone text COLLATE "C",
  companies_from text COLLATE "C", CONSTRAINT accounts_id_key UNIQUE (id), PRIMARY KEY (key)
) WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500');
CREATE TABLE activities (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL COLLATE "C", lead_rid bigint NOT NULL,
  lead_id text NOT NULL COLLATE "C", kind text NOT NULL, outcome text, text text, at bigint NOT NULL, author text NOT NULL,
  member_id text COLLATE "C", created_at bigint NOT NULL, PRIMARY KEY (account_id, rid)
);
CREATE INDEX activities_at ON activities (account_id, at);
CREATE UNIQUE INDEX activities_id ON activities (account_id, id);
CREATE INDEX activities_lead ON activities (account_id, lead_rid, at, id);
CREATE TABLE admin_log (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C", action text NOT NULL, key_id text,
  actor_id text, target_id text, details text NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (rid)
);
CREATE INDEX admin_log_account ON admin_log (account_id, rid);
CREATE TABLE api_keys (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C", hash bytea NOT NULL, name text NOT NULL,
  prefix text NOT NULL, role text NOT NULL, kind text NOT NULL, issued_by text COLLATE "C", created_at bigint NOT NULL, last_used_at bigint,
  expires_at bigint, list_style text, guard text, segment text, maker text COLLATE "C", CONSTRAINT api_keys_hash_key UNIQUE (hash),
  CONSTRAINT api_keys_id_key UNIQUE (id), PRIMARY KEY (rid)
);
CREATE INDEX api_keys_account ON api_keys (account_id, rid);
CREATE TABLE attribute_definitions (
  account_id bigint NOT NULL, name text NOT NULL COLLATE "C", type text NOT NULL, options text, required boolean NOT NULL, unit text,
  "position" bigint, description text, created_at bigint NOT NULL, updated_at bigint NOT NULL, PRIMARY KEY (account_id, name)
);
CREATE TABLE company_merges (
  account_id bigint NOT NULL, id text NOT NULL COLLATE "C", into_id text NOT NULL COLLATE "C", PRIMARY KEY (account_id, id)
);
CREATE TABLE deliveries (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C", webhook_rid bigint NOT NULL,
  event_rid bigint NOT NULL, status text NOT NULL, attempts integer DEFAULT 0 NOT NULL, due_at bigint, leased_until bigint,
  lease text COLLATE "C", code integer, error text, milliseconds bigint, answer text, turn bigint, created_at bigint NOT NULL,
  updated_at bigint NOT NULL, PRIMARY KEY (rid)
);
CREATE INDEX deliveries_due ON deliveries (webhook_rid, due_at, rid) WHERE (status = 'pending'::text);
CREATE INDEX deliveries_event ON deliveries (event_rid);
CREATE UNIQUE INDEX deliveries_id ON deliveries (account_id, id);
CREATE INDEX deliveries_leased ON deliveries (webhook_rid) WHERE (lease IS NOT NULL);
CREATE UNIQUE INDEX deliveries_turn ON deliveries (turn) WHERE (turn IS NOT NULL);
CREATE INDEX deliveries_webhook ON deliveries (webhook_rid, status, rid);
CREATE TABLE duplicate_accounts (
  account_id bigint NOT NULL, auto_merge_above double precision, learning integer DEFAULT 1 NOT NULL, weights text, decided bigint DEFAULT 0 NOT NULL,
  learned bigint DEFAULT 0 NOT NULL, pass text, pass_place text, pass_to bigint DEFAULT 0 NOT NULL, pass_left bigint DEFAULT 0 NOT NULL,
  compared bigint DEFAULT 0 NOT NULL, index_version integer NOT NULL, loss text, PRIMARY KEY (account_id)
);
CREATE TABLE duplicate_decisions (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, pair_rid bigint NOT NULL, is_same integer NOT NULL,
  probability double precision NOT NULL, evidence text NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX duplicate_decisions_pair ON duplicate_decisions (account_id, pair_rid);
CREATE TABLE duplicate_dismissals (
  account_id bigint NOT NULL, low text NOT NULL COLLATE "C", high text NOT NULL COLLATE "C", merge_rid bigint DEFAULT 0 NOT NULL,
  created_at bigint NOT NULL, PRIMARY KEY (account_id, low, high, merge_rid)
);
CREATE INDEX duplicate_dismissals_high ON duplicate_dismissals (account_id, high);
CREATE INDEX duplicate_dismissals_merge ON duplicate_dismissals (account_id, merge_rid) WHERE (merge_rid > 0);
CREATE TABLE duplicate_due (
  account_id bigint NOT NULL, rid bigint NOT NULL, PRIMARY KEY (account_id, rid)
) WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='1000');
CREATE TABLE duplicate_keys (
  account_id bigint NOT NULL, key bigint NOT NULL, rid bigint NOT NULL, PRIMARY KEY (account_id, key, rid)
);
CREATE TABLE duplicate_pairs (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, a bigint NOT NULL, b bigint NOT NULL, state integer DEFAULT 0 NOT NULL,
  probability double precision NOT NULL, reasons text NOT NULL, evidence text NOT NULL, merge_rid bigint, created_at bigint NOT NULL,
  asked integer DEFAULT 0 NOT NULL, PRIMARY KEY (account_id, rid)
);
CREATE INDEX duplicate_pairs_b ON duplicate_pairs (account_id, b) WHERE (state < 2);
CREATE UNIQUE INDEX duplicate_pairs_leads ON duplicate_pairs (account_id, a, b) WHERE (state < 2);
CREATE INDEX duplicate_pairs_merge ON duplicate_pairs (account_id, merge_rid) WHERE (merge_rid IS NOT NULL);
CREATE INDEX duplicate_pairs_probability ON duplicate_pairs (account_id, state, probability, rid);
CREATE TABLE duplicate_queue (
  account_id bigint NOT NULL, rid bigint NOT NULL, turn bigint DEFAULT 0 NOT NULL, before text, PRIMARY KEY (account_id, rid)
) WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='1000');
CREATE TABLE duplicate_terms (
  account_id bigint NOT NULL, term bigint NOT NULL, leads bigint NOT NULL, PRIMARY KEY (account_id, term)
);
CREATE TABLE enrichment_queue (
  account_id bigint NOT NULL, lead text NOT NULL COLLATE "C", PRIMARY KEY (account_id, lead)
);
CREATE TABLE erasures (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL COLLATE "C", reason text NOT NULL,
  rule_id text COLLATE "C", rule_name text, count bigint NOT NULL, actor_id text, key_id text, created_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX erasures_id ON erasures (account_id, id);
CREATE TABLE events (
  rid bigint GENERATED BY DEFAULT AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C", event text NOT NULL,
  body text NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (rid)
);
CREATE INDEX events_account ON events (account_id, rid);
CREATE UNIQUE INDEX events_id ON events (account_id, id);
CREATE TABLE export_tickets (
  hash bytea NOT NULL, account_id bigint NOT NULL, key_id text NOT NULL COLLATE "C", wanted text NOT NULL, expires_at bigint NOT NULL,
  PRIMARY KEY (hash)
);
CREATE INDEX export_tickets_account ON export_tickets (account_id, expires_at);
CREATE TABLE form_posts (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C",
  form_id text NOT NULL COLLATE "C", state text NOT NULL COLLATE "C", reason text, email text COLLATE "C",
  lead text NOT NULL, created_at bigint NOT NULL, ends_at bigint NOT NULL, sender text, PRIMARY KEY (rid)
);
CREATE INDEX form_posts_email ON form_posts (account_id, email) WHERE (email IS NOT NULL);
CREATE INDEX form_posts_ends ON form_posts (ends_at);
CREATE INDEX form_posts_form ON form_posts (account_id, form_id, state, rid);
CREATE UNIQUE INDEX form_posts_id ON form_posts (account_id, id);
CREATE INDEX form_posts_sender ON form_posts (account_id, form_id, state, reason, sender, rid);
CREATE TABLE forms (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C", name text NOT NULL,
  active boolean NOT NULL, settings text NOT NULL, secret text, created_at bigint NOT NULL, updated_at bigint NOT NULL, PRIMARY KEY (rid)
);
CREATE INDEX forms_account ON forms (account_id);
CREATE UNIQUE INDEX forms_id ON forms (id);
CREATE TABLE idempotent_answers (
  account_id bigint NOT NULL, key bytea NOT NULL, request bytea NOT NULL, answer bytea, created_at bigint NOT NULL, import_id text,
  counted bigint DEFAULT 0 NOT NULL, PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotent_answers_created_at ON idempotent_answers (created_at);
CREATE TABLE import_leads (
  account_id bigint NOT NULL, lead bigint NOT NULL, import bigint NOT NULL, PRIMARY KEY (account_id, lead, import)
);
CREATE INDEX import_leads_import ON import_leads (account_id, import);
CREATE TABLE import_mappings (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, name text COLLATE "C", header text COLLATE "C",
  options text NOT NULL, created_at bigint NOT NULL, used_at bigint NOT NULL, PRIMARY KEY (rid)
);
CREATE INDEX import_mappings_header ON import_mappings (account_id, md5(header));
CREATE UNIQUE INDEX import_mappings_name ON import_mappings (account_id, name) WHERE (name IS NOT NULL);
CREATE TABLE imports (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C", name text NOT NULL, file_name text,
  state text NOT NULL, actor_id text NOT NULL, key_id text NOT NULL, job text, undo_job text, done bigint NOT NULL, total bigint, report text NOT NULL,
  created_at bigint NOT NULL, ended_at bigint, undone_at bigint, alive_until bigint, PRIMARY KEY (rid)
);
CREATE UNIQUE INDEX imports_id ON imports (account_id, id);
CREATE INDEX imports_running ON imports (alive_until) WHERE (state = 'running'::text);
CREATE TABLE job_inputs (
  rid bigint NOT NULL, account_id bigint NOT NULL, input text NOT NULL, PRIMARY KEY (rid)
);
CREATE TABLE jobs (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C", kind text NOT NULL, state text NOT NULL,
  progress text, done bigint NOT NULL, total bigint, failed bigint DEFAULT 0 NOT NULL, errors text NOT NULL, batch_id text, import_id text,
  key_id text NOT NULL, actor_id text NOT NULL, role text NOT NULL, created_at bigint NOT NULL, started_at bigint, ended_at bigint, lease text,
  leased_until bigint, PRIMARY KEY (rid)
);
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX jobs_id ON jobs (account_id, id);
CREATE INDEX jobs_open ON jobs (account_id, rid) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE TABLE kept_files (
  name text NOT NULL COLLATE "C", part integer NOT NULL, bytes bytea NOT NULL, created_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (name, part)
);
CREATE TABLE known_words (
  account_id bigint NOT NULL, word text NOT NULL COLLATE "C", PRIMARY KEY (account_id, word)
);
CREATE TABLE lead_aliases (
  account_id bigint NOT NULL, kind text NOT NULL COLLATE "C", value text NOT NULL COLLATE "C", rid bigint NOT NULL
);
CREATE INDEX lead_aliases_rid ON lead_aliases (account_id, rid);
CREATE UNIQUE INDEX lead_aliases_value ON lead_aliases (account_id, kind, md5(value));
CREATE TABLE lead_attributes (
  account_id bigint NOT NULL, name text NOT NULL COLLATE "C", rid bigint NOT NULL, item integer NOT NULL,
  type text NOT NULL COLLATE "C", text text COLLATE "C", number double precision, PRIMARY KEY (account_id, name, rid, item)
);
CREATE INDEX lead_attributes_by_number ON lead_attributes (account_id, name, number, rid) WHERE (number IS NOT NULL);
CREATE INDEX lead_attributes_by_text ON lead_attributes (account_id, name, "left"(text, 400), rid) WHERE (text IS NOT NULL);
CREATE TABLE lead_contacts (
  account_id bigint NOT NULL, rid bigint NOT NULL, kind text NOT NULL COLLATE "C", item integer NOT NULL,
  text text NOT NULL COLLATE "C", key text COLLATE "C", number text COLLATE "C",
  PRIMARY KEY (account_id, rid, kind, item)
);
CREATE INDEX lead_contacts_key ON lead_contacts (account_id, "left"(key, 100)) WHERE (key IS NOT NULL);
CREATE INDEX lead_contacts_number ON lead_contacts (account_id, "left"(number, 100)) WHERE (number IS NOT NULL);
CREATE INDEX lead_contacts_text ON lead_contacts (account_id, kind, "left"(text, 400));
CREATE TABLE lead_scores (
  account_id bigint NOT NULL, rid bigint NOT NULL, score double precision NOT NULL, version bigint NOT NULL, activity text, updated_at double precision,
  last_interaction_at double precision, PRIMARY KEY (account_id, rid)
) WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
CREATE INDEX lead_scores_by_last_interaction_at ON lead_scores (account_id, last_interaction_at, rid);
CREATE INDEX lead_scores_by_score ON lead_scores (account_id, score, rid);
CREATE INDEX lead_scores_by_updated_at ON lead_scores (account_id, updated_at, rid);
CREATE TABLE lead_tags (
  account_id bigint NOT NULL, tag text NOT NULL COLLATE "C", rid bigint NOT NULL, PRIMARY KEY (account_id, tag, rid)
);
CREATE TABLE lead_texts (
  account_id bigint NOT NULL, rid bigint NOT NULL, text text NOT NULL COLLATE "C", PRIMARY KEY (account_id, rid)
) WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE lead_words (
  account_id bigint NOT NULL, rid bigint NOT NULL, words tsvector NOT NULL, notes tsvector, PRIMARY KEY (account_id, rid)
) WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE INDEX lead_words_words ON lead_words USING gin (words);
CREATE TABLE leads (
  account_id bigint NOT NULL, rid bigint NOT NULL, id text NOT NULL COLLATE "C", name text NOT NULL COLLATE "C",
  source text NOT NULL COLLATE "C", status text NOT NULL COLLATE "C", email text COLLATE "C",
  phone text COLLATE "C", website text COLLATE "C", company text COLLATE "C", job_title text COLLATE "C",
  linkedin_url text COLLATE "C", address text COLLATE "C", city text COLLATE "C", state text COLLATE "C",
  country text COLLATE "C", postal_code text COLLATE "C", category text COLLATE "C",
  description text COLLATE "C", logo_url text COLLATE "C", source_id text COLLATE "C",
  phone_key text COLLATE "C", phone_number text COLLATE "C", source_id_exact text COLLATE "C",
  latitude double precision, longitude double precision, rating double precision, review_count double precision, created_at double precision NOT NULL,
  updated_at double precision NOT NULL, last_interaction_at double precision NOT NULL, last_note_at double precision,
  note_count double precision DEFAULT 0 NOT NULL, last_contacted_at double precision, contacted_at double precision, tags integer NOT NULL,
  shape integer NOT NULL, data text NOT NULL,
  last_touched_at double precision GENERATED ALWAYS AS (GREATEST(updated_at, last_interaction_at, last_note_at, last_contacted_at)) STORED,
  owner text COLLATE "C", next_step text COLLATE "C", next_step_at double precision, due_told_at double precision, origins text,
  enrich_told_at double precision, lawful_basis text COLLATE "C", consent text COLLATE "C", consent_at double precision,
  email_status text COLLATE "C", stage text COLLATE "C", lost_reason text COLLATE "C", value double precision,
  company_id text COLLATE "C", PRIMARY KEY (account_id, rid)
) WITH (fillfactor='72', autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');
CREATE INDEX leads_by_category ON leads (account_id, "left"(category, 640), rid);
CREATE INDEX leads_by_city ON leads (account_id, "left"(city, 640), rid);
CREATE INDEX leads_by_city_rating ON leads (account_id, "left"(city, 300), rating, rid);
CREATE INDEX leads_by_company ON leads (account_id, "left"(company, 640), rid);
CREATE INDEX leads_by_company_id ON leads (account_id, "left"(company_id, 640), rid);
CREATE INDEX leads_by_country ON leads (account_id, "left"(country, 640), rid);
CREATE INDEX leads_by_created_at ON leads (account_id, created_at, rid);
CREATE INDEX leads_by_email ON leads (account_id, "left"(email, 640), rid);
CREATE INDEX leads_by_name ON leads (account_id, "left"(name, 640), rid);
CREATE INDEX leads_by_place ON leads (account_id, latitude, longitude) WHERE ((latitude IS NOT NULL) AND (longitude IS NOT NULL));
CREATE INDEX leads_by_rating ON leads (account_id, rating, rid);
CREATE INDEX leads_by_review_count ON leads (account_id, review_count, rid);
CREATE INDEX leads_by_source ON leads (account_id, "left"(source, 640), rid);
CREATE INDEX leads_by_state ON leads (account_id, "left"(state, 640), rid);
CREATE INDEX leads_by_status ON leads (account_id, "left"(status, 640), rid);
CREATE INDEX leads_due ON leads (account_id, next_step_at) WHERE ((next_step_at IS NOT NULL) AND ((due_told_at IS NULL) OR (due_told_at <> next_step_at)));
CREATE UNIQUE INDEX leads_email ON leads (account_id, md5(email), (
CASE
    WHEN (strpos(substr(email, strpos(email, '@'::text)), '.'::text) > 0) THEN (0)::bigint
    ELSE rid
END)) WHERE (email IS NOT NULL);
CREATE UNIQUE INDEX leads_id ON leads (account_id, id);
CREATE INDEX leads_name_city ON leads (account_id, "left"(name, 300), "left"(city, 300), rid) WHERE (city IS NOT NULL);
CREATE INDEX leads_phone_key ON leads (account_id, "left"(phone_key, 100), rid) WHERE (phone_key IS NOT NULL);
CREATE INDEX leads_phone_number ON leads (account_id, "left"(phone_number, 100), rid) WHERE (phone_number > '');
CREATE UNIQUE INDEX leads_source_id ON leads (account_id, md5(source_id_exact)) WHERE (source_id_exact IS NOT NULL);
CREATE TABLE links (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL COLLATE "C", hash bytea NOT NULL,
  segment text NOT NULL COLLATE "C", fields text NOT NULL, password text, actor_id text NOT NULL, created_at bigint NOT NULL,
  expires_at bigint, made_by text COLLATE "C", CONSTRAINT links_hash_key UNIQUE (hash), PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX links_id ON links (account_id, id);
CREATE TABLE locks (
  name text NOT NULL COLLATE "C", last_id text NOT NULL COLLATE "C", PRIMARY KEY (name)
);
CREATE TABLE match_keys (
  account_id integer NOT NULL, rid bigint NOT NULL, keys bigint[] NOT NULL, PRIMARY KEY (account_id, rid)
) WITH (autovacuum_vacuum_scale_factor='0.05');
CREATE INDEX match_keys_keys ON match_keys USING gin (keys) WITH (fastupdate=off);
CREATE TABLE match_terms (
  account_id integer NOT NULL, term integer NOT NULL, leads integer NOT NULL, PRIMARY KEY (account_id, term)
);
CREATE TABLE matching_leases (
  account_id bigint NOT NULL, holder text NOT NULL COLLATE "C", until bigint NOT NULL, PRIMARY KEY (account_id)
);
CREATE TABLE members (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C", name text NOT NULL,
  name_key text NOT NULL COLLATE "C", role text NOT NULL, password text, invite_hash bytea, invite_expires_at bigint,
  created_at bigint NOT NULL, joined_at bigint, invited_by text, oidc_subject text, CONSTRAINT members_id_key UNIQUE (id), PRIMARY KEY (rid)
);
CREATE UNIQUE INDEX members_invite ON members (invite_hash) WHERE (invite_hash IS NOT NULL);
CREATE UNIQUE INDEX members_name ON members (account_id, name_key);
CREATE UNIQUE INDEX members_oidc ON members (oidc_subject) WHERE (oidc_subject IS NOT NULL);
CREATE INDEX members_sign_in ON members (name_key);
CREATE TABLE merges (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL COLLATE "C",
  survivor_id text NOT NULL COLLATE "C", data text NOT NULL, created_at bigint NOT NULL, undone_at bigint, PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX merges_id ON merges (account_id, id);
CREATE INDEX merges_survivor ON merges (account_id, survivor_id, rid);
CREATE TABLE notes (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL COLLATE "C", lead_rid bigint NOT NULL,
  lead_id text NOT NULL COLLATE "C", content text NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL, author text,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX notes_id ON notes (account_id, id);
CREATE INDEX notes_lead ON notes (account_id, lead_rid, rid);
CREATE TABLE oauth_clients (
  id text NOT NULL COLLATE "C", name text NOT NULL, redirect_uris text NOT NULL, created_at bigint NOT NULL, used_at bigint,
  expires_at bigint NOT NULL, PRIMARY KEY (id)
);
CREATE INDEX oauth_clients_expires_at ON oauth_clients (expires_at);
CREATE TABLE oauth_logins (
  selector text NOT NULL COLLATE "C", account_id bigint NOT NULL, hash text NOT NULL, role text NOT NULL, tries_left integer NOT NULL,
  expires_at bigint NOT NULL, PRIMARY KEY (selector)
);
CREATE INDEX oauth_logins_expires_at ON oauth_logins (expires_at);
CREATE TABLE passkey_challenges (
  challenge text NOT NULL COLLATE "C", expires_at bigint NOT NULL, PRIMARY KEY (challenge)
);
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at);
CREATE UNLOGGED TABLE request_counts (
  name text NOT NULL COLLATE "C", slots bigint[] NOT NULL, counts bigint[] NOT NULL, granted bigint NOT NULL, ends bigint NOT NULL,
  PRIMARY KEY (name)
) WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500');
CREATE TABLE retention_rules (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL COLLATE "C", name text NOT NULL,
  filter text NOT NULL, months integer, days integer, notice_days integer NOT NULL, noticed_at bigint NOT NULL, leased_until bigint,
  created_at bigint NOT NULL, updated_at bigint NOT NULL, PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX retention_rules_id ON retention_rules (account_id, id);
CREATE TABLE scoring_rules (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL COLLATE "C", name text NOT NULL,
  expression text NOT NULL, weight double precision NOT NULL, priority bigint NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL,
  PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX scoring_rules_id ON scoring_rules (account_id, id);
CREATE TABLE segment_moves (
  account_id bigint NOT NULL, segment text NOT NULL COLLATE "C", lead text NOT NULL COLLATE "C", entered boolean NOT NULL,
  PRIMARY KEY (account_id, segment, lead)
);
CREATE TABLE segments (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL COLLATE "C", name text NOT NULL,
  filter text NOT NULL, q text, sort_by text, sort_order text, created_at bigint NOT NULL, updated_at bigint NOT NULL,
  enrich integer DEFAULT 0 NOT NULL, PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX segments_id ON segments (account_id, id);
CREATE TABLE settings (
  name text NOT NULL COLLATE "C", value bytea NOT NULL, PRIMARY KEY (name)
);
CREATE TABLE stages (
  account_id bigint NOT NULL, id text NOT NULL COLLATE "C", name text NOT NULL COLLATE "C", status text NOT NULL,
  color text NOT NULL, "position" bigint NOT NULL, removed boolean NOT NULL, PRIMARY KEY (account_id, id)
);
CREATE TABLE suppressions (
  account_id bigint NOT NULL, id text NOT NULL COLLATE "C", kind text NOT NULL COLLATE "C",
  value text NOT NULL COLLATE "C", key text NOT NULL COLLATE "C", reason text, created_at bigint NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE UNIQUE INDEX suppressions_id ON suppressions (account_id, id);
CREATE INDEX suppressions_kind ON suppressions (account_id, kind, id);
CREATE TABLE templates (
  account_id bigint NOT NULL, rid bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL COLLATE "C", name text NOT NULL,
  subject text NOT NULL, body text NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL, PRIMARY KEY (account_id, rid)
);
CREATE UNIQUE INDEX templates_id ON templates (account_id, id);
CREATE TABLE trail (
  account_id bigint NOT NULL, seq bigint NOT NULL, id text COLLATE "C", lead_id text NOT NULL COLLATE "C",
  action text NOT NULL COLLATE "C", reason text, actor_id text NOT NULL COLLATE "C", key_id text COLLATE "C",
  batch_id text COLLATE "C", import_id text COLLATE "C", created_at bigint NOT NULL, facts text, score_before double precision,
  score_after double precision, pushed text, state text, notes text, PRIMARY KEY (account_id, seq)
);
CREATE INDEX trail_batch ON trail (account_id, batch_id, seq) WHERE (batch_id IS NOT NULL);
CREATE INDEX trail_import ON trail (account_id, import_id, seq) WHERE (import_id IS NOT NULL);
CREATE INDEX trail_lead ON trail (account_id, lead_id, seq);
CREATE INDEX trail_state ON trail (account_id, lead_id, seq) WHERE (state IS NOT NULL);
CREATE UNLOGGED TABLE uploads (
  account_id bigint NOT NULL, process text NOT NULL COLLATE "C", files bigint NOT NULL, bytes bigint NOT NULL, alive_until bigint NOT NULL,
  PRIMARY KEY (account_id, process)
);
CREATE TABLE webhooks (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C", url text NOT NULL, events text NOT NULL,
  secret text, previous_secret text, previous_until bigint, active boolean NOT NULL, removed boolean DEFAULT false NOT NULL, disabled_reason text,
  failing_since bigint, created_at bigint NOT NULL, updated_at bigint NOT NULL, made_by text COLLATE "C", PRIMARY KEY (rid)
);
CREATE UNIQUE INDEX webhooks_id ON webhooks (account_id, id);
CREATE INDEX webhooks_removed ON webhooks (rid) WHERE removed;
CREATE TABLE oauth_grants (
  code_hash bytea NOT NULL, account_id bigint NOT NULL, client_id text NOT NULL, client_name text NOT NULL, redirect_uri text NOT NULL, resource text,
  challenge text NOT NULL, role text NOT NULL, signer_id text, created_at bigint NOT NULL, expires_at bigint NOT NULL, key_rid bigint,
  PRIMARY KEY (code_hash), FOREIGN KEY (key_rid) REFERENCES api_keys(rid) ON DELETE CASCADE
);
CREATE INDEX oauth_grants_account ON oauth_grants (account_id);
CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at) WHERE (key_rid IS NULL);
CREATE UNIQUE INDEX oauth_grants_key ON oauth_grants (key_rid) WHERE (key_rid IS NOT NULL);
CREATE TABLE passkeys (
  id text NOT NULL COLLATE "C", member_rid bigint NOT NULL, public_key bytea NOT NULL, counter bigint NOT NULL, transports text NOT NULL,
  created_at bigint NOT NULL, PRIMARY KEY (id), FOREIGN KEY (member_rid) REFERENCES members(rid) ON DELETE CASCADE
);
CREATE INDEX passkeys_member ON passkeys (member_rid);
CREATE TABLE sessions (
  rid bigint GENERATED ALWAYS AS IDENTITY, account_id bigint NOT NULL, id text NOT NULL COLLATE "C", hash bytea NOT NULL, role text NOT NULL,
  key_rid bigint, member_rid bigint, agent text NOT NULL, created_at bigint NOT NULL, used_at bigint NOT NULL, expires_at bigint NOT NULL,
  CONSTRAINT sessions_hash_key UNIQUE (hash), CONSTRAINT sessions_id_key UNIQUE (id), PRIMARY KEY (rid),
  FOREIGN KEY (key_rid) REFERENCES api_keys(rid) ON DELETE CASCADE, FOREIGN KEY (member_rid) REFERENCES members(rid) ON DELETE CASCADE
);
CREATE INDEX sessions_account ON sessions (account_id, rid);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_key ON sessions (key_rid) WHERE (key_rid IS NOT NULL);
CREATE INDEX sessions_member ON sessions (member_rid) WHERE (member_rid IS NOT NULL);
CREATE TRIGGER lead_scores_made BEFORE INSERT ON lead_scores FOR EACH ROW WHEN ((new.updated_at IS NULL)) EXECUTE FUNCTION lead_scores_made();
CREATE TRIGGER leads_changed AFTER UPDATE OF updated_at, last_interaction_at ON leads FOR EACH ROW WHEN (((old.updated_at IS DISTINCT FROM new.updated_at) OR (old.last_interaction_at IS DISTINCT FROM new.last_interaction_at))) EXECUTE FUNCTION leads_changed();
-- Values that belong to the database, such as the key that signs cursors
INSERT INTO settings (name, value) VALUES
  ('secret', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
  ('trail_epoch', substr(uuid_send(gen_random_uuid()), 9));
-- Rows that works on no account or on several wait for in turn; last_id is the newest id that was made
INSERT INTO locks (name, last_id) VALUES ('across', '');
