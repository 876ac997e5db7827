DROP INDEX leads_by_city_rating;
CREATE INDEX leads_by_city_rating ON leads (account_id, left(city, 640), rating, rid);
DROP INDEX leads_by_company_id;
CREATE INDEX leads_by_company_id ON leads (account_id, company_id, rid);
