ALTER TABLE leads SET (fillfactor = 60);
