-- The trail's rows in order, and then its index: written at once, they take the least room
INSERT INTO trail SELECT * FROM trail_made ORDER BY rowid DESC;
CREATE INDEX trail_lead ON trail (account_id, lead, seq);
DROP TABLE trail_made;
DROP TABLE trail_chunks;
DROP TABLE trail_chunk_leads;
DROP TABLE changes;
