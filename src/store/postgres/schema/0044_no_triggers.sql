-- Every executable that this schema lets in writes the times beside scores itself.
DROP TRIGGER lead_scores_made ON lead_scores;
DROP TRIGGER leads_changed ON leads;
DROP FUNCTION lead_scores_made();
DROP FUNCTION leads_changed();
