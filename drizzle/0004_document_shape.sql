-- Which fields a document was written with: those of an older shape are read as if they had the fields that came since
ALTER TABLE lead_documents ADD COLUMN shape INTEGER NOT NULL DEFAULT 1;
