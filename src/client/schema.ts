// Made by `npm run client` from test/golden/openapi.json; changes here are lost.
// SHA-256 of what they are made from: 003cdcf8e06a3f7fc45fc22a859676cdec5241c4309076aae061f726c263ad98

export interface paths {
    "/leads": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List leads with filters, sorting and cursor pagination
         * @description Pages are read by cursor: pass `next_cursor` on as `cursor`, with the same filters and sort. Leads that come and go meanwhile never shift the pages.
         *
         *     A filter is `logic.operator.field.value`, such as `and.gte.rating.4`. Texts compare ignoring case.
         *
         *     | Fields | Operators |
         *     |---|---|
         *     | texts | `eq` `neq` `contains` `not_contains` `starts_with` `ends_with` `in` `not_in` `is_empty` `is_not_empty` (`not_empty` means `is_not_empty`) |
         *     | `phone` | as texts, and `same`: the number however it is written |
         *     | `source_id` | as texts, and `same`: exactly this text, as deduplication compares it |
         *     | numbers, `score`, times | `eq` `neq` `gt` `gte` `lt` `lte` `between` `in` `not_in` `is_empty` `is_not_empty` |
         *     | `tags` | `array_contains` `array_not_contains` `array_contains_any` `array_contains_all` `array_empty` `array_not_empty` `contains` `not_contains` `is_empty` `is_not_empty` |
         *     | `location` | `within_radius` `is_set` `is_not_set`; `within_radius` takes `lat,lng,km` |
         *     | `id` | `eq` `in` |
         *     | `contactable`, `suppressed` | `eq` `neq` `true` or `false`: not on the do-not-contact list, or on it |
         *     | `owner` | as texts, with the id, name or email of a member, or `me` |
         *     | `attr:<name>` | `eq` `neq` `contains` `not_contains` `starts_with` `ends_with` `in` `not_in` `is_empty` `is_not_empty` `gt` `gte` `lt` `lte` `between` `array_contains` `array_not_contains` `array_contains_any` `array_contains_all` `array_empty` `array_not_empty` |
         *
         *     `in` and `not_in` take values with commas between them (one with a comma in double quotes), `between` takes `low,high`. A date without a time is the whole day in the account's time zone; `today`, `yesterday`, `tomorrow`, `30d` (ago) and `-P1M` are dates. `neq`, `not_contains` and `not_in` also match leads where the field is empty. A name with a dot is quoted: `and.eq.attr:"net.revenue".5`.
         */
        get: operations["list_leads"];
        put?: never;
        /**
         * Create a lead; a duplicate is merged into the lead it repeats
         * @description Every push is checked for duplicates, by four criteria in this order:
         *
         *     | | Criterion | What happens |
         *     |---|---|---|
         *     | 1 | same `email`, ignoring case | merged: 200, `duplicate: true` |
         *     | 2 | same `source_id` | merged: 200, `duplicate: true` |
         *     | 3 | same `phone` and names more than 80 % similar | merged: 200, `duplicate: true` |
         *     | 4 | same `name` and `city`, ignoring case | created: 201, with `potential_duplicate_id` |
         *
         *     A merge is Last Touch Wins: values that are sent and not empty overwrite, attributes are replaced by name. A merge does not count against the plan's leads. Fields that the service sets may be sent and are ignored; an unknown field is refused.
         *
         *     Editors and owners.
         */
        post: operations["create_lead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/aggregate": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Count and sum up leads in groups of up to three fields
         * @description Groups come with the most leads first unless `sort` says otherwise; `other` counts the leads in groups that were not listed, `total` all that match.
         */
        get: operations["aggregate_leads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/export": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all matching leads as a CSV, JSON, XLSX or vCard file
         * @description All matching leads in one answer, without pages. Filters and sort are those of `GET /leads`. A workbook, and a CSV whose dates are not Unix seconds, name owners and stages.
         */
        get: operations["export_leads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/{ticket}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an export by the signed address that a tool gave
         * @description Takes no key.
         */
        get: operations["download_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/import": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import leads from a CSV, JSON, NDJSON, XLSX or vCard file
         * @description Every row is handled like `POST /leads`: duplicates are merged, also those within the file, and an invalid row fails alone. The file is the body, with its content type, or the `file` of a form; it is streamed and has at most 2 GiB, a row 1 MiB.
         *
         *     The format is detected: CSV separated by comma, semicolon, tab or bar, in any usual encoding, JSON (an array, or an object around one), lines of JSON, XLSX, vCards, and ZIP or gzip of these. Columns are recognised by their names in seven languages, by the program that wrote them, and by their values; unmatched columns become attributes with the type of their values. `map` overrides this: `Firm:name`, `Seats:attr:seats:number`, `Junk:-` to skip one. Exports can be imported again. A value that does not fit its column is left out with a warning; only a row without any possible name is rejected.
         *
         *     The mapping is remembered for the next file with the same header; `save_mapping` saves it under a name, `mapping` uses it. With `background` the answer is 202 with the import's id as soon as the file is saved; the import continues in the background, even after a restart.
         *
         *     Rows are saved in many small transactions, so that other requests are served in between. When the upload breaks off, saved rows are kept and the message says how many; importing the whole file again merges it. When the service itself is cut off, the import ends as `interrupted`: it is listed with its counts and can be undone, and a repeat with the same `Idempotency-Key` answers with its report so far, `state` and `error`. An import is one request of the limit and one `leads.created` or `leads.updated` event for each transaction; the plan's batch size does not apply, its leads do. With `dry_run` nothing is changed and the answer is the report that the import would give.
         *
         *     Editors and owners.
         */
        post: operations["import_leads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Imports, newest first
         * @description A page begins behind `after`, the id of the last import of the page before.
         */
        get: operations["list_imports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * One import: how far it is, what it did, its columns and warnings
         * @description While it runs, `done` counts on; once it has ended, the answer stays the same until the import is undone.
         */
        get: operations["get_import"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}/undo": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo an import, except on leads that were changed since
         * @description Created leads are deleted; merged leads are restored. A lead that was changed or got a note since is left unchanged and listed. More than 250 leads are undone by a job.
         *
         *     Editors and owners.
         */
        post: operations["undo_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/import-mappings": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Saved mappings of columns, by name
         * @description An import takes one by `mapping=NAME`.
         */
        get: operations["list_import_mappings"];
        put?: never;
        /**
         * Save a mapping of columns under a name
         * @description Editors and owners.
         */
        post: operations["create_import_mapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/import-mappings/{name}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * One saved mapping of columns
         * @description What an import with `mapping=NAME` does with each column.
         */
        get: operations["get_import_mapping"];
        /**
         * Replace a saved mapping of columns, or save it anew
         * @description Editors and owners.
         */
        put: operations["update_import_mapping"];
        post?: never;
        /**
         * Delete a saved mapping of columns
         * @description Editors and owners.
         */
        delete: operations["delete_import_mapping"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one lead with its attributes and score
         * @description Every field is there: an empty text or number is null, tags and attributes are an empty list. `include=origins` adds where each value comes from: the push, import, enrichment, merge or change that set it, by whom and when.
         */
        get: operations["get_lead"];
        /**
         * Change fields of a lead; null clears one
         * @description Only the fields to change. `null` or `""` clears an optional field. Attributes have routes of their own.
         *
         *     Editors and owners.
         */
        put: operations["update_lead"];
        post?: never;
        /**
         * Delete a lead with notes and attributes
         * @description Its notes and attributes go with it; its audit trail stays.
         *
         *     Editors and owners.
         */
        delete: operations["delete_lead"];
        options?: never;
        head?: never;
        /**
         * Change fields of a lead; null clears one
         * @description Only the fields to change. `null` or `""` clears an optional field. Attributes have routes of their own.
         *
         *     Editors and owners.
         */
        patch: operations["patch_lead"];
        trace?: never;
    };
    "/leads/by/email/{email}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create the lead with this email, or update it
         * @description Editors and owners.
         */
        put: operations["upsert_lead_by_email"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/by/source_id/{source_id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create the lead with this source_id, or update it
         * @description Editors and owners.
         */
        put: operations["upsert_lead_by_source_id"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/enrichments": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill what a lead lacks with what another service knows of it
         * @description Sets the fields that are empty and leaves the others, unless `older_than_days` allows to replace values that are known for longer. Of each field that it sets it keeps source, time and confidence: `GET /leads/{id}?include=origins` shows them. The trail has the change with the reason `enriched:` and the source.
         *
         *     Editors and owners.
         */
        post: operations["enrich_lead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/email-status": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell that mail to a lead bounced, or what else is known of its email
         * @description Stays until the lead's email changes. Other statuses are set by themselves: see the field `email_status`.
         *
         *     Editors and owners.
         */
        post: operations["set_email_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/match": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask which leads the account has already, before they are bought or pushed
         * @description Up to 1,000 leads with whatever is known of them, in one request. `exact` by the criteria of a push: the same email, the same source_id, the same phone and a similar name, or the same name and city. `likely` when the matcher holds a stored lead for the same with a probability of 0.5 or more; it learns of new leads within seconds. Nothing is written.
         */
        post: operations["match_leads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppressions": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the emails, domains and phones that must not be contacted
         * @description Newest first. With `value` or `lead_id` the entries that stop this email, domain or phone, or this lead. `format=csv` exports all entries as a file that can be imported again.
         */
        get: operations["list_suppressions"];
        put?: never;
        /**
         * Add emails, domains or phones to the do-not-contact list
         * @description One entry, a list of them, or `{suppressions: [...]}` with up to 1,000. What is on the list already is answered as it is, with 200. From then on such a lead cannot come in, by no way; leads that are stored stay, and `contactable=true` leaves them out.
         *
         *     Editors and owners.
         */
        post: operations["create_suppression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppressions/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one entry of the do-not-contact list
         * @description A `hash` stands for the email or phone of an erased person, which is not kept.
         */
        get: operations["get_suppression"];
        put?: never;
        post?: never;
        /**
         * Remove an entry from the do-not-contact list
         * @description Entries of erased people are removed by owners alone.
         *
         *     Editors and owners.
         */
        delete: operations["delete_suppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppressions/import": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the entries of a CSV file to the do-not-contact list
         * @description Takes an export of `GET /suppressions?format=csv`, and any CSV with a column `email`, `domain`, `phone` or `value`, or without names of columns. A bad row is left out and named; what is on the list already stays as it is. At most 64 MiB.
         *
         *     Editors and owners.
         */
        post: operations["import_suppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/unsubscribe-link": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * A link by which a lead puts itself on the do-not-contact list
         * @description For mails: the page asks once and adds the lead's email to the list. The address also takes the one-click POST of RFC 8058, for the headers `List-Unsubscribe: <url>` and `List-Unsubscribe-Post: List-Unsubscribe=One-Click`. It is signed, never expires and opens nothing else.
         */
        get: operations["get_unsubscribe_link"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/changes": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit trail of a lead, newest first; also of a deleted one
         * @description Each record holds the whole lead before and after. Records are never changed.
         */
        get: operations["list_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changes": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit trail of all leads, in the order of commits; also as a feed
         * @description Newest first, unless `order=asc`. Read with `order=asc`, the trail is a feed: pages follow the order of commits; a saved cursor misses no change and repeats none, and `next_cursor` is there even at the end. `wait` holds the request until there is a change. With `Accept: text/event-stream` every change is an event whose id is the cursor after it, for `Last-Event-ID`. `cursor=now` starts at the end.
         *
         *     `view=diff` shows what differs instead of whole leads. A page may end before `limit` when many changes were examined: see `has_more`. After a restore, cursors answer 410.
         */
        get: operations["list_account_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changes/revert": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revert changes: restores leads to the state before, as new changes
         * @description Each lead is restored to its state before the first of these changes, as a new change with `reason` `revert:<id>`. A deleted lead is restored with its id, times, attributes and notes; a created lead is deleted. A lead that was changed since is left unchanged and listed, unless `force`. A revert has a `batch_id` and can be reverted. More than 250 leads are reverted by a job.
         *
         *     Editors and owners.
         */
        post: operations["revert_changes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Background work of the account that has not ended
         * @description Oldest first, at most 20 jobs. Besides jobs, the answer counts leads that have yet to be indexed for searches and compared for duplicates.
         */
        get: operations["list_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * How far a job is that a longer request began
         * @description A job continues after its request was answered, even after a crash or in another process. Jobs are kept for 30 days.
         */
        get: operations["get_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/stop": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a job; work already done is kept
         * @description Editors and owners.
         */
        post: operations["stop_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/duplicates/status": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * How many leads have yet to be compared, and how many pairs are open
         * @description `waiting` is 0 once all leads have been compared.
         */
        get: operations["get_duplicate_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/duplicates/model": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * How pairs are weighed, and how right that was by your decisions
         * @description From 20 decisions, weights are fitted to them, close to the defaults, and used where they explain decisions better that they were not fitted to: `loss` has both figures.
         */
        get: operations["get_duplicate_model"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch learning or automatic merges of certain duplicates on or off
         * @description `auto_merge_above` is refused below 0.99, and before 50 decisions on such pairs show that at least 99 % of them are the same.
         *
         *     Editors and owners.
         */
        patch: operations["update_duplicate_model"];
        trace?: never;
    };
    "/duplicates": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Leads that may be the same, the most probable pairs first, with reasons
         * @description Leads are compared in the background after each push; a push itself merges by its four criteria only. Other likely duplicates are listed here, with reasons. `filter` must match one lead of the pair, as in `GET /leads`. `view=groups` groups leads by the mean probability of all their pairs, never by a chain of pairs alone.
         */
        get: operations["list_duplicates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/duplicates": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Leads that may be the same as this one, the most probable first
         * @description Open pairs, unless `state` asks for others.
         */
        get: operations["list_lead_duplicates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/duplicates/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one pair of leads that may be the same
         * @description Both leads as they are now, the older one first, and the reasons for the probability.
         */
        get: operations["get_duplicate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the state of a pair: dismissed, or open again
         * @description Editors and owners.
         */
        patch: operations["update_duplicate"];
        trace?: never;
    };
    "/duplicates/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that the leads of a pair are not the same; it is remembered for ever
         * @description The pair stays dismissed until it is opened again. Weights learn from it.
         *
         *     Editors and owners.
         */
        post: operations["dismiss_duplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/duplicates/{id}/reopen": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen a dismissed pair
         * @description Editors and owners.
         */
        post: operations["reopen_duplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/duplicates/rescan": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare all leads with each other again, as a job
         * @description Leads are compared whenever they are pushed or changed; this compares all of them again. Dismissed pairs stay dismissed.
         *
         *     Editors and owners.
         */
        post: operations["rescan_duplicates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/merge": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge leads into one, with a preview; a merge can be undone
         * @description Tags, attributes, notes and activities of all go along, empty fields are filled from the losers, and every email and source_id of a loser leads to the survivor from then on: the next push of its scraper updates the survivor. One transaction, one `lead.merged` event. With `dry_run` the answer shows the lead that would be.
         *
         *     Editors and owners.
         */
        post: operations["merge_leads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/duplicates/merge": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge all open duplicates that are probable enough, as a job
         * @description Merges groups whose pairs have at least this mean probability, each into its oldest lead; a chain of pairs is not a group. You can undo every merge. Start with `dry_run`, and send its `matched` as `expect`.
         *
         *     Editors and owners.
         */
        post: operations["merge_duplicates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merges/{id}/undo": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a merge back: its losers come back, the survivor gets its own again
         * @description The losers are restored with their ids, notes, activities, attributes, times and emails. Fields of the survivor that the merge set are restored unless they were changed since; those are listed in `kept`. Within an hour of the merge its pairs are open again as before; later, or while leads are merged by themselves, they are marked as not duplicates. Nothing is learned from it, and what the merge taught is forgotten.
         *
         *     Editors and owners.
         */
        post: operations["undo_merge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/batch": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make the same changes to many leads
         * @description Answers 207 when any failed, also when all did.
         *
         *     Editors and owners.
         */
        put: operations["batch_update_leads"];
        /**
         * Create many leads at once; each duplicate is merged
         * @description Each lead goes the way of `POST /leads`, one after the other: duplicates are merged, a bad lead fails alone. Answers 207 when any failed, also when all did. A batch over the plan's size is refused whole.
         *
         *     Editors and owners.
         */
        post: operations["batch_create_leads"];
        /**
         * Delete many leads with their notes and attributes
         * @description Answers 207 when any failed, also when all did.
         *
         *     Editors and owners.
         */
        delete: operations["batch_delete_leads"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/bulk": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change, delete, tag, note or score all leads that a filter matches
         * @description Editors and owners.
         */
        post: operations["bulk_leads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{lead_id}/notes": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes of a lead, oldest first
         * @description All of them, in one answer.
         */
        get: operations["list_notes"];
        put?: never;
        /**
         * Add a note to a lead
         * @description Editors and owners.
         */
        post: operations["create_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notes/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the content of a note
         * @description Editors and owners.
         */
        put: operations["update_note"];
        post?: never;
        /**
         * Delete a note
         * @description Editors and owners.
         */
        delete: operations["delete_note"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{lead_id}/activities": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the calls, emails and meetings with a lead, newest first
         * @description In the order of when they were, whenever they were logged.
         */
        get: operations["list_activities"];
        put?: never;
        /**
         * Log a call, an email or a meeting with a lead, and set the next step
         * @description A contact: `last_contacted_at` of the lead moves to its time, unless it was contacted later. The trail and `lead.updated` tell of it; reverting that change removes it.
         *
         *     Editors and owners.
         */
        post: operations["log_activity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activities": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Count calls, emails and meetings by member and week
         * @description The latest period first, then the largest count. A period is shown by its first day, in the account's time zone.
         */
        get: operations["count_activities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activities/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an activity that was logged by mistake
         * @description `last_contacted_at` of the lead goes back to the contact before it; its next step stays.
         *
         *     Editors and owners.
         */
        delete: operations["delete_activity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's templates of mails
         * @description Oldest first. An account keeps at most 100.
         */
        get: operations["list_templates"];
        put?: never;
        /**
         * Keep a mail with fields of leads in it
         * @description The service sends no mail: it fills a template for a lead, for the mail program of who writes. A name in braces that is no field is refused.
         *
         *     Editors and owners.
         */
        post: operations["create_template"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one template
         * @description Its fields stand in double braces: `GET /templates/{id}/render` fills them.
         */
        get: operations["get_template"];
        /**
         * Change a template
         * @description Only what is to change.
         *
         *     Editors and owners.
         */
        put: operations["update_template"];
        post?: never;
        /**
         * Delete a template
         * @description What was written with it stays in the log.
         *
         *     Editors and owners.
         */
        delete: operations["delete_template"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{id}/render": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Fill a template with the values of a lead
         * @description Refused with 409 for a lead that is on the do-not-contact list, with the entry that stops it. Times are days in the account's time zone.
         */
        get: operations["render_template"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{lead_id}/attributes": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom attributes of a lead
         * @description In the order in which they were added.
         */
        get: operations["list_attributes"];
        put?: never;
        /**
         * Add a custom attribute to a lead; its name must be new there
         * @description Editors and owners.
         */
        post: operations["create_attribute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attributes": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * The attributes that leads have: names, types, ranges and commonest values
         * @description Attributes whose definition gives them a place come first, then those of most leads. Ranges are of numbers, and of dates in Unix seconds, values of texts and lists. What is defined has `defined`, `options`, `required`, `unit`, `position` and `description` besides.
         */
        get: operations["list_attribute_catalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attributes/{attribute}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Define an attribute for all leads: type, options, required, unit; rename it
         * @description Adds the definition where there is none; what the body leaves out stays. Leads are changed when the name or the type becomes another, or options are set: up to 1,000 in the request, more as a job, each with its record in the trail. Values that do not fit stay as they are and are counted in `failed`; `dry_run` counts them before. From then on values that do not fit are refused with 400; imports leave them out with a warning.
         *
         *     Editors and owners.
         */
        put: operations["update_attribute_definition"];
        post?: never;
        /**
         * Remove the definition of an attribute; values on leads stay
         * @description Editors and owners.
         */
        delete: operations["delete_attribute_definition"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attributes/{attribute}/merge": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge an attribute into another: its values go under the other's name
         * @description On a lead with both, the other's value stays unless it is empty. Up to 1,000 leads in the request, more as a job, each with its record in the trail. The definition of the merged name goes.
         *
         *     Editors and owners.
         */
        post: operations["merge_attributes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{lead_id}/attributes/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the value of a custom attribute
         * @description The value must fit the attribute's type. The body is `{value}`, or the whole record as it was read with another value.
         *
         *     Editors and owners.
         */
        put: operations["update_attribute"];
        post?: never;
        /**
         * Delete a custom attribute of a lead
         * @description Editors and owners.
         */
        delete: operations["delete_attribute"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scoring-rules": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scoring rules by priority
         * @description Lowest priority first, then the oldest. An account keeps at most 200 rules.
         */
        get: operations["list_scoring_rules"];
        put?: never;
        /**
         * Create a scoring rule; update_all_scores applies it to all leads
         * @description The score of a lead is the sum of value times weight over all rules, clamped to 0-100. Writes score their lead at once; `POST /leads/score/batch` applies changed rules to all leads.
         *
         *     Expressions know `+ - * / %`, comparisons, `&& || !`, `condition ? a : b`, parentheses, texts in quotes, lead fields by name, attributes as `attr_<name>` or `attr("Any name")`, and `min max abs round floor ceil log sqrt contains(text, part) has(list, item) len(x) days_since(time)`. Missing values are 0, and equal to `null` (or `nil`). An invalid expression is refused with the position of the error.
         *
         *     Editors and owners.
         */
        post: operations["create_scoring_rule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scoring-rules/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one scoring rule
         * @description The expression is kept as it was sent, spaces and all.
         */
        get: operations["get_scoring_rule"];
        /**
         * Change the name, expression, weight or priority of a scoring rule
         * @description Editors and owners.
         */
        put: operations["update_scoring_rule"];
        post?: never;
        /**
         * Delete a scoring rule; update_all_scores takes it out of all scores
         * @description Editors and owners.
         */
        delete: operations["delete_scoring_rule"];
        options?: never;
        head?: never;
        /**
         * Change the name, expression, weight or priority of a scoring rule
         * @description Editors and owners.
         */
        patch: operations["patch_scoring_rule"];
        trace?: never;
    };
    "/scoring-rules/preview": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try an expression on a lead, or on all leads, without saving anything
         * @description Give `lead_id`, or `lead`, or neither for an empty lead. With `all` the answer tells what the rule would do to the scores of all leads, with `weight`, and in place of the rule `rule_id` where that is given. Nothing is saved.
         *
         *     Editors and owners.
         */
        post: operations["preview_scoring_rule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/score": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what each rule gives for a lead now, without storing anything
         * @description Reads only: nothing is stored and no event is sent, unlike `POST`. Rules are tried on the lead as it is now.
         */
        get: operations["explain_lead_score"];
        put?: never;
        /**
         * Recalculate the score of one lead from the current rules
         * @description Editors and owners.
         */
        post: operations["update_lead_score"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/score/batch": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recalculate all scores from the current rules
         * @description Runs on a second thread. Answers when it is done, or with `background=true` at once with a job. Concurrent requests share one run.
         *
         *     Editors and owners.
         */
        post: operations["update_all_scores"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's segments with how many leads each has now
         * @description Oldest first. An account keeps at most 100.
         */
        get: operations["list_segments"];
        put?: never;
        /**
         * Give filters, a search and a sort a name
         * @description Use it as `segment=ID` wherever filters are accepted, together with other filters and searches. Leads are matched at the time of the request.
         *
         *     Editors and owners.
         */
        post: operations["create_segment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one segment with how many leads it has now
         * @description `GET /leads?segment=ID` lists them.
         */
        get: operations["get_segment"];
        /**
         * Change the name, filters, search or sort of a segment
         * @description Only the fields to change. `null` removes the filters, the search or the sort.
         *
         *     Editors and owners.
         */
        put: operations["update_segment"];
        post?: never;
        /**
         * Delete a segment and its public links; its leads stay
         * @description Editors and owners.
         */
        delete: operations["delete_segment"];
        options?: never;
        head?: never;
        /**
         * Change the name, filters, search or sort of a segment
         * @description Only the fields to change. `null` removes the filters, the search or the sort.
         *
         *     Editors and owners.
         */
        patch: operations["patch_segment"];
        trace?: never;
    };
    "/companies": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the companies that leads are of, those with the most leads first
         * @description Leads are of one company by the domain of their website or email, unless anybody may have an address there, else by their `company` and `city`. `filter=and.eq.company_id.ID` lists the leads of one.
         */
        get: operations["list_companies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one company: its name, domain, leads, and what is next
         * @description The id of a company that was merged is that of the one it is now.
         */
        get: operations["get_company"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/merge": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make one company of several: their leads, also those to come, are of the first
         * @description Up to 1,000 leads in the request, more as a job, each with its record in the trail.
         *
         *     Editors and owners.
         */
        post: operations["merge_companies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/company": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a lead into another company, or take it out of any
         * @description It stays so whatever becomes of the lead's website, email and company.
         *
         *     Editors and owners.
         */
        post: operations["set_lead_company"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stages": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's own stages, each with the status that it belongs to
         * @description In the order of boards. An account has at most 50.
         */
        get: operations["list_stages"];
        put?: never;
        /**
         * Add a stage that leads go through
         * @description The last one unless `position` says otherwise. A lead is put into it by its field `stage`.
         *
         *     Editors and owners.
         */
        post: operations["create_stage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stages/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the name, colour, place or status of a stage
         * @description Only the fields to change. With another `status` all leads in the stage get it: up to 1,000 in the request, more as a job, each with its record in the trail.
         *
         *     Editors and owners.
         */
        put: operations["update_stage"];
        post?: never;
        /**
         * Delete a stage; its leads keep their status
         * @description Leads in it are in no stage then: up to 1,000 in the request, more as a job. Reverting the batch brings the stage back with them.
         *
         *     Editors and owners.
         */
        delete: operations["delete_stage"];
        options?: never;
        head?: never;
        /**
         * Change the name, colour, place or status of a stage
         * @description Only the fields to change. With another `status` all leads in the stage get it: up to 1,000 in the request, more as a job, each with its record in the trail.
         *
         *     Editors and owners.
         */
        patch: operations["patch_stage"];
        trace?: never;
    };
    "/links": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the public links to segments, without their addresses
         * @description Oldest first, with those that have expired. An account keeps at most 100.
         */
        get: operations["list_links"];
        put?: never;
        /**
         * Make a public, read-only address of a segment; shown only in this answer
         * @description Everyone who has the address reads the chosen fields of the segment's leads, as they are when it is asked, as a page and as CSV of at most 50,000 rows, and nothing else. The address is in this answer and nowhere else: only its hash is kept. With a password the page asks for it, and the CSV is for browsers that have given it. The page shows the segment's name. Delete the link to revoke it. It ends with its maker.
         *
         *     Editors and owners.
         */
        post: operations["create_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a public link; its address stops working at once
         * @description Editors and owners.
         */
        delete: operations["delete_link"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's webhooks, without their secrets
         * @description Includes webhooks that are turned off. An account keeps at most 100.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Have events sent to a URL, signed when there is a secret
         * @description Events are delivered at least once, signed when there is a `secret`: see the webhooks of this document. An endpoint answers with 2xx within 5 seconds, else it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.
         *
         *     Private addresses are refused unless the service is configured to allow them.
         *
         *     Editors and owners.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one webhook, without its secret
         * @description When failing deliveries or the end of its maker turned it off, `disabled_reason` says why.
         */
        get: operations["get_webhook"];
        /**
         * Change a webhook; active: true turns it on again
         * @description Only the fields to change. `events: null` means all of them, `secret: null` ends signing. Another `url` needs the `secret` again where there is one. Turning it on again forgets why it was turned off. Whoever turns it on or gives it another `url` is its maker from then on: it ends with their API key.
         *
         *     Editors and owners.
         */
        put: operations["update_webhook"];
        post?: never;
        /**
         * Delete a webhook with its deliveries; nothing more is sent to it
         * @description Editors and owners.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook; active: true turns it on again
         * @description Only the fields to change. `events: null` means all of them, `secret: null` ends signing. Another `url` needs the `secret` again where there is one. Turning it on again forgets why it was turned off. Whoever turns it on or gives it another `url` is its maker from then on: it ends with their API key.
         *
         *     Editors and owners.
         */
        patch: operations["patch_webhook"];
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook.test event to one webhook
         * @description Sends a `webhook.test` event, whatever the webhook subscribes to.
         *
         *     Editors and owners.
         */
        post: operations["test_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was sent to a webhook in the last 30 days, newest first
         * @description A delivery is kept for 30 days after it is over; one that still waits, for as long as it does.
         */
        get: operations["list_webhook_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again at once; a waiting one waits no longer
         * @description Editors and owners.
         */
        post: operations["retry_webhook_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/retry": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again all that failed or waits since a time, after an outage
         * @description Editors and owners.
         */
        post: operations["retry_webhook_deliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's forms with their public addresses
         * @description Oldest first. An account keeps at most 100.
         */
        get: operations["list_forms"];
        put?: never;
        /**
         * Make a public address that leads come in by
         * @description `/f/ID` shows the form as a page, and takes posts as JSON, as `application/x-www-form-urlencoded` and as `multipart/form-data`. The id is all that a post needs, and with it nothing can be done but adding leads: a lead that is there already only gets what it lacks.
         *
         *     Posts of scripts come from the `origins` alone. Posts that fill the honeypot, come too fast or fail the captcha are answered like others and kept apart as spam for 7 days.
         *
         *     Editors and owners.
         */
        post: operations["create_form"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one form with the HTML to paste
         * @description `url` is the address of the form's own page, `snippet` puts it into a page of yours.
         */
        get: operations["get_form"];
        /**
         * Change a form; active: false closes its address
         * @description Only what is to change; `null` gives a setting its default. `fields` replaces all of them.
         *
         *     Editors and owners.
         */
        put: operations["update_form"];
        post?: never;
        /**
         * Delete a form with its spam; its leads stay
         * @description Editors and owners.
         */
        delete: operations["delete_form"];
        options?: never;
        head?: never;
        /**
         * Change a form; active: false closes its address
         * @description Only what is to change; `null` gives a setting its default. `fields` replaces all of them.
         *
         *     Editors and owners.
         */
        patch: operations["patch_form"];
        trace?: never;
    };
    "/forms/{id}/spam": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was posted to a form and kept apart as spam
         * @description Newest first. For 7 days a form keeps 500, and 500 that the plan had no room for; beyond that the oldest goes of the sender with the most.
         */
        get: operations["list_form_spam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms/{id}/spam/{spam_id}/release": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let in what was kept apart as spam: it becomes a lead
         * @description A lead that it duplicates only gets what it lacks. Of a form with double opt-in it is let in without a confirmation.
         *
         *     Editors and owners.
         */
        post: operations["release_form_spam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's API keys, without the keys themselves
         * @description Owners only.
         */
        get: operations["list_api_keys"];
        put?: never;
        /**
         * Create a named API key; the key is shown only in this answer
         * @description The key is in this answer and nowhere else: only its hash is kept. It never may do more than its maker may now, and ends no later.
         *
         *     A key with `segment` sees and writes the leads of that segment alone: others answer 404, a write after which its lead would be outside answers 403, and so do operations that are about more than these leads.
         *
         *     Owners only.
         */
        post: operations["create_api_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key at once, with the keys that it issued
         * @description The keys that it issued are revoked with it, but for the one that revokes, and its links and open invitations. It holds from the moment this answers. The last owner key cannot be revoked.
         *
         *     Owners only.
         */
        delete: operations["delete_api_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account that the key belongs to, with its plan and limits
         * @description Limits are null where there is none.
         */
        get: operations["get_account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the default country for phone numbers and the time zone
         * @description Phone numbers without a country code are read with the lead's `country`, else with this one. Existing leads are updated in the background. Dates without a time, and `today` and the like, are days of `time_zone`.
         *
         *     Owners only.
         */
        patch: operations["update_account"];
        trace?: never;
    };
    "/retention-rules": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rules that erase old leads, with how many each is about
         * @description Oldest first. An account keeps at most 50.
         */
        get: operations["list_retention_rules"];
        put?: never;
        /**
         * Erase leads of a filter that were not touched for a time, after notice
         * @description Touched means pushed, changed, contacted or noted: `last_touched_at`. A lead that was not touched for so long is shown for `notice_days` and then erased as by `DELETE /leads/{id}?erase=true`, unless it is touched meanwhile. Nothing is erased in the first `notice_days` of a rule. `POST /retention-rules/{id}/run?dry_run=true` shows what would be.
         *
         *     Owners only.
         */
        post: operations["create_retention_rule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/retention-rules/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one rule of retention with how many leads it is about
         * @description `matched` counts the leads that it is about now; none is erased before `erases_from`.
         */
        get: operations["get_retention_rule"];
        /**
         * Change a rule of retention; its notice begins anew
         * @description Only the fields to change. With another filter, time or notice nothing is erased for `notice_days` from now.
         *
         *     Owners only.
         */
        put: operations["update_retention_rule"];
        post?: never;
        /**
         * Delete a rule of retention; nothing more is erased by it
         * @description Owners only.
         */
        delete: operations["delete_retention_rule"];
        options?: never;
        head?: never;
        /**
         * Change a rule of retention; its notice begins anew
         * @description Only the fields to change. With another filter, time or notice nothing is erased for `notice_days` from now.
         *
         *     Owners only.
         */
        patch: operations["patch_retention_rule"];
        trace?: never;
    };
    "/retention-rules/{id}/run": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what a rule of retention would erase, or erase what is due now
         * @description The service carries rules out by itself; this erases some of what is due at once, at most 50 leads a request. With `dry_run=true` nothing is erased: `matched` leads were not touched for the rule's time, and the notice of `due` of them is over.
         *
         *     Owners only.
         */
        post: operations["run_retention_rule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/export": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything about one person, as JSON or a page: lead, notes, trail, events
         * @description The answer to a request for access. Also for a deleted lead, whose trail is still there; an erased one has nothing left but that it was erased. Of other leads it holds ids alone. `format=html` gives the same as a page to hand over.
         */
        get: operations["export_lead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/erasures": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Erasures of leads: when, by whom, why and how many, without data
         * @description Newest first. It holds nothing of the leads, not even their ids.
         */
        get: operations["list_erasures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Addresses by which other machines reach the service
         * @description `leaddb serve --lan` listens on the local network. Passkeys need HTTPS or a localhost name: over a network address people sign in with a password.
         */
        get: operations["get_network"];
        /**
         * Listen on the local network, or on this machine alone
         * @description Takes an owner on the machine itself, where the service has one account and its settings name no host, public URL, proxy or database server. The service keeps the choice and starts again after the answer, which takes about a second.
         *
         *     Owners only.
         */
        put: operations["set_network"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/statuses": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Names, order and colours of the statuses on screens
         * @description All five, in the order of screens; those that nobody changed have their usual names and colours.
         */
        get: operations["list_statuses"];
        /**
         * Set the names, order and colours of the statuses on screens
         * @description The body may be the bare list. Statuses that it leaves out keep what they have. The API's values stay.
         *
         *     Owners only.
         */
        put: operations["update_statuses"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin-log": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Actions on keys, members, webhooks and plans, with the user
         * @description Keys made, revoked and used for sign-in, webhooks changed, plans set, the database restored or moved, its secrets encrypted or not. Entries are never changed.
         *
         *     Owners only.
         */
        get: operations["list_admin_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List browser sessions; non-owners see only their own
         * @description Newest first, without ended sessions.
         */
        get: operations["list_sessions"];
        put?: never;
        /**
         * Sign in with a one-time code, an API key, a password or a passkey
         * @description Answers with a cookie, which browsers then send instead of a key: `__Host-leaddb` over HTTPS, HttpOnly and SameSite=Strict. A session ends after 12 hours without use, after 30 days, and with its key or member. It counts only on requests with `Sec-Fetch-Site: same-origin`, or with the service's own `Origin` where browsers do not send that; bodies must be JSON. Sessions have a request limit of their own, 6,000 in 10 minutes, beside the plan's.
         *
         *     Give exactly one of `code`, `key`, `name` with `password`, and `passkey`.
         *
         *     Takes no key.
         */
        post: operations["create_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/challenge": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the challenge that a browser signs to sign in with a passkey
         * @description The answer is for `navigator.credentials.get()`. Browsers allow passkeys on HTTPS and on localhost names.
         *
         *     Takes no key.
         */
        post: operations["create_passkey_challenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/current": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user, their role and the account's limits
         * @description Works with an API key as well.
         */
        get: operations["get_session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out: end a session at once, the one that asks as current
         * @description `current` is the session that asks. Owners may end any of the account, others their own.
         */
        delete: operations["delete_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/app": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove a dashboard session to the page on which an app asks to connect
         * @description For the dashboard: the page of `/authorize` leads to it with `request`, and `location` leads back. Works with a session alone. The app is let in on that page, by the person.
         */
        post: operations["approve_app"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people of the account and their roles
         * @description Members who have not accepted their invitation yet are among them.
         */
        get: operations["list_members"];
        put?: never;
        /**
         * Invite a person; the link in the answer is good for 7 days
         * @description Send the link to the person: no mail is sent. Leads that an import left with the name of the member as their owner become theirs. With it they choose a passkey or a password, and are signed in.
         *
         *     Owners only.
         */
        post: operations["invite_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the role of a member, at once
         * @description Their sessions and API keys continue with the new role. With a lower one, open invitations of an owner end, and public links of a viewer. The name stays as it was given with the invitation.
         *
         *     Owners only.
         */
        put: operations["update_member"];
        post?: never;
        /**
         * Remove a member; their sessions end at once
         * @description The API keys, open invitations and public links that the member made end with them; webhooks go on. All are listed in the answer, which is 204 where there are none. What is kept is bound to the rights of the member who removes them.
         *
         *     Owners only.
         */
        delete: operations["delete_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{id}/invite": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new invitation for a member who lost theirs, or their password
         * @description The link before it is good no longer. When it is used, the password and passkeys they had are forgotten.
         *
         *     Owners only.
         */
        post: operations["reinvite_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/invite": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at an invitation: whose it is, and how to make a passkey for it
         * @description Takes no key.
         */
        post: operations["read_invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/join": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation with a password or a passkey, and be signed in
         * @description Give `passkey` or `password`. Answers like `POST /sessions`, with its cookie.
         *
         *     Takes no key.
         */
        post: operations["accept_invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts of leads by status, source and score, and use of the plan
         * @description Counts all leads of the account. A lead is hot from a score of 70, warm from 40, else cold.
         */
        get: operations["get_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/categories": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * The categories of leads with their counts, most first
         * @description Leads without a category are left out.
         */
        get: operations["list_categories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/cities": {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        /**
         * The cities of leads with their counts, most first
         * @description Leads without a city are left out.
         */
        get: operations["list_cities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "lead.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead was created
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_lead_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead was updated, or a push was merged into it
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_lead_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead was deleted
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_lead_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.scored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The score of a lead was calculated, or changed
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_lead_scored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "note.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A note was added
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_note_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "note.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A note was edited
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_note_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "note.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A note was deleted
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_note_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "leads.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A batch created leads
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_leads_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "leads.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A batch updated leads, or merged into them
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_leads_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "leads.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A batch deleted leads
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_leads_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "leads.scored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The scores of all leads were calculated; at most 10,000 in one event
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_leads_scored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.merged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leads were made into one; pushes that are merged are `lead.updated`
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_lead_merged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.unmerged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A merge was undone
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_lead_unmerged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "segment.entered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leads came to match a segment
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_segment_entered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "segment.left": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leads match a segment no longer, or were deleted
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_segment_left"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The time of a lead's next step has come
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_lead_due"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "form.confirmation_requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A post to a form with double opt-in waits until its sender opens the link: send it to them
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_form_confirmation_requested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.needs_enrichment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead is in a segment whose leads are to be enriched; once a lead
         * @description Delivered at least once, to the URL of every webhook that subscribes to it.
         */
        post: operations["on_lead_needs_enrichment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sent by POST /webhooks/{id}/test
         * @description Delivered to that webhook alone, whatever it subscribes to.
         */
        post: operations["on_webhook_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Any JSON object of at most 16 KiB and 32 levels. */
        JsonObject: {
            [key: string]: (string | number | boolean | null) | components["schemas"]["JsonObject"] | ((string | number | boolean | null) | components["schemas"]["JsonObject"] | unknown[])[];
        };
        /** @description text: a string. number: a number. bool: true or false. list: texts. object: nested data. date: an ISO date. */
        AttributeValue: string | number | boolean | string[] | components["schemas"]["JsonObject"];
        AttributeInput: {
            /** @description Set by the service; accepted and ignored. */
            readonly id?: string;
            /** @description Each name once per lead. */
            name: string;
            /**
             * @description What the value is.
             * @enum {string}
             */
            type: "text";
            /** @description Must fit the type. */
            value: string;
        } | {
            /** @description Set by the service; accepted and ignored. */
            readonly id?: string;
            /** @description Each name once per lead. */
            name: string;
            /**
             * @description What the value is.
             * @enum {string}
             */
            type: "number";
            /** @description Must fit the type. */
            value: number;
        } | {
            /** @description Set by the service; accepted and ignored. */
            readonly id?: string;
            /** @description Each name once per lead. */
            name: string;
            /**
             * @description What the value is.
             * @enum {string}
             */
            type: "bool";
            /** @description Must fit the type. */
            value: boolean;
        } | {
            /** @description Set by the service; accepted and ignored. */
            readonly id?: string;
            /** @description Each name once per lead. */
            name: string;
            /**
             * @description What the value is.
             * @enum {string}
             */
            type: "list";
            /** @description Must fit the type. */
            value: string[];
        } | {
            /** @description Set by the service; accepted and ignored. */
            readonly id?: string;
            /** @description Each name once per lead. */
            name: string;
            /**
             * @description What the value is.
             * @enum {string}
             */
            type: "object";
            /** @description Must fit the type. */
            value: components["schemas"]["JsonObject"];
        } | {
            /** @description Set by the service; accepted and ignored. */
            readonly id?: string;
            /** @description Each name once per lead. */
            name: string;
            /**
             * @description What the value is.
             * @enum {string}
             */
            type: "date";
            /** @description Must fit the type. */
            value: string;
        };
        LeadInput: {
            /** @description Name of the person or company. */
            name: string;
            /** @description Where the lead came from, such as `google_maps`. */
            source: string;
            /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
            email?: string | null;
            /** @description Free text. Finds duplicates together with a similar name. */
            phone?: string | null;
            /** @description Free text. */
            website?: string | null;
            /** @description Where the person works. */
            company?: string | null;
            /** @description What the person does there. */
            job_title?: string | null;
            /** @description Free text. */
            linkedin_url?: string | null;
            address?: string | null;
            city?: string | null;
            state?: string | null;
            country?: string | null;
            postal_code?: string | null;
            category?: string | null;
            /** @description Long text. */
            description?: string | null;
            logo_url?: string | null;
            /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
            source_id?: string | null;
            /** @description Id or name of a stage of the account, which sets the status. */
            stage?: string | null;
            /** @description Why the lead was lost. */
            lost_reason?: string | null;
            /** @description Id of the member who looks after the lead. */
            owner?: string | null;
            /** @description What is to be done next. */
            next_step?: string | null;
            /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
            lawful_basis?: string | null;
            /** @description What the person agreed to, in the words shown. */
            consent?: string | null;
            /** @description Degrees north. */
            latitude?: number | null;
            /** @description Degrees east. */
            longitude?: number | null;
            /** @description Any number. */
            rating?: number | null;
            /** @description A whole number of at least 0. */
            review_count?: number | null;
            /** @description Must fit the type. */
            value?: number | null;
            /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
            next_step_at?: (number | string) | null;
            /** @description When the person agreed: Unix seconds or an ISO date. */
            consent_at?: (number | string) | null;
            /** @description At most 100 tags of 200 characters, each once ignoring case. */
            tags?: string[] | null;
            /**
             * @description Default `new`. Any status may follow any other.
             * @enum {string|null}
             */
            status?: "new" | "contacted" | "qualified" | "disqualified" | "converted" | null;
            /** @description All emails, the first one first: `email` is the same. */
            emails?: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label?: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string | null;
            }[] | null;
            /** @description All phones, the first one first: `phone` is the same. */
            phones?: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label?: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string | null;
            }[] | null;
            /** @description Custom fields, at most 200. */
            attributes?: components["schemas"]["AttributeInput"][] | null;
            /** @description Set by the service; accepted and ignored. */
            readonly id?: string;
            /** @description Set by the service; accepted and ignored. */
            readonly score?: number;
            /** @description Set by the service; accepted and ignored. */
            readonly email_status?: string | null;
            /** @description Set by the service; accepted and ignored. */
            readonly company_id?: string | null;
            /** @description Set by the service; accepted and ignored. */
            readonly created_at?: number;
            /** @description Set by the service; accepted and ignored. */
            readonly updated_at?: number;
            /** @description Set by the service; accepted and ignored. */
            readonly last_interaction_at?: number;
            /** @description Set by the service; accepted and ignored. */
            readonly last_note_at?: number | null;
            /** @description Set by the service; accepted and ignored. */
            readonly note_count?: number;
            /** @description Set by the service; accepted and ignored. */
            readonly last_contacted_at?: number | null;
            /** @description Set by the service; accepted and ignored. */
            readonly last_touched_at?: number;
        };
        LeadChanges: {
            /** @description Cannot be cleared. */
            name?: string;
            /** @description Cannot be cleared. */
            source?: string;
            /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
            email?: string | null;
            /** @description Free text. Finds duplicates together with a similar name. */
            phone?: string | null;
            /** @description Free text. */
            website?: string | null;
            /** @description Where the person works. */
            company?: string | null;
            /** @description What the person does there. */
            job_title?: string | null;
            /** @description Free text. */
            linkedin_url?: string | null;
            address?: string | null;
            city?: string | null;
            state?: string | null;
            country?: string | null;
            postal_code?: string | null;
            category?: string | null;
            /** @description Long text. */
            description?: string | null;
            logo_url?: string | null;
            /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
            source_id?: string | null;
            /** @description Id of a stage of the account. Setting it sets the status; another status leaves it. */
            stage?: string | null;
            /** @description Why the lead was lost. */
            lost_reason?: string | null;
            /** @description Id of the member who looks after the lead. */
            owner?: string | null;
            /** @description What is to be done next. */
            next_step?: string | null;
            /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
            lawful_basis?: string | null;
            /** @description What the person agreed to, in the words shown. */
            consent?: string | null;
            /** @description Degrees north. */
            latitude?: number | null;
            /** @description Degrees east. */
            longitude?: number | null;
            /** @description Any number. */
            rating?: number | null;
            /** @description A whole number of at least 0. */
            review_count?: number | null;
            /** @description Must fit the type. */
            value?: number | null;
            /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
            next_step_at?: (number | string) | null;
            /** @description When the person agreed: Unix seconds or an ISO date. */
            consent_at?: (number | string) | null;
            /** @description Replaces all tags. */
            tags?: string[] | null;
            /**
             * @description Any status may follow any other.
             * @enum {string|null}
             */
            status?: "new" | "contacted" | "qualified" | "disqualified" | "converted" | null;
            /** @description All emails, the first one first: `email` is the same. */
            emails?: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label?: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string | null;
            }[] | null;
            /** @description All phones, the first one first: `phone` is the same. */
            phones?: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label?: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string | null;
            }[] | null;
            /** @description Only as they are; attributes have routes of their own. */
            readonly attributes?: components["schemas"]["Attribute"][];
            /** @description Set by the service; accepted and ignored. */
            readonly id?: string;
            /** @description Set by the service; accepted and ignored. */
            readonly score?: number;
            /** @description Set by the service; accepted and ignored. */
            readonly email_status?: string | null;
            /** @description Set by the service; accepted and ignored. */
            readonly company_id?: string | null;
            /** @description Set by the service; accepted and ignored. */
            readonly created_at?: number;
            /** @description Set by the service; accepted and ignored. */
            readonly updated_at?: number;
            /** @description Set by the service; accepted and ignored. */
            readonly last_interaction_at?: number;
            /** @description Set by the service; accepted and ignored. */
            readonly last_note_at?: number | null;
            /** @description Set by the service; accepted and ignored. */
            readonly note_count?: number;
            /** @description Set by the service; accepted and ignored. */
            readonly last_contacted_at?: number | null;
            /** @description Set by the service; accepted and ignored. */
            readonly last_touched_at?: number;
        };
        Attribute: {
            /** @description UUID. */
            id: string;
            /** @description Unique on the lead. */
            name: string;
            /**
             * @description Type of the value; cannot be changed.
             * @enum {string}
             */
            type: "text";
            /** @description Must fit the type. */
            value: string;
        } | {
            /** @description UUID. */
            id: string;
            /** @description Unique on the lead. */
            name: string;
            /**
             * @description Type of the value; cannot be changed.
             * @enum {string}
             */
            type: "number";
            /** @description Must fit the type. */
            value: number;
        } | {
            /** @description UUID. */
            id: string;
            /** @description Unique on the lead. */
            name: string;
            /**
             * @description Type of the value; cannot be changed.
             * @enum {string}
             */
            type: "bool";
            /** @description Must fit the type. */
            value: boolean;
        } | {
            /** @description UUID. */
            id: string;
            /** @description Unique on the lead. */
            name: string;
            /**
             * @description Type of the value; cannot be changed.
             * @enum {string}
             */
            type: "list";
            /** @description Must fit the type. */
            value: string[];
        } | {
            /** @description UUID. */
            id: string;
            /** @description Unique on the lead. */
            name: string;
            /**
             * @description Type of the value; cannot be changed.
             * @enum {string}
             */
            type: "object";
            /** @description Must fit the type. */
            value: components["schemas"]["JsonObject"];
        } | {
            /** @description UUID. */
            id: string;
            /** @description Unique on the lead. */
            name: string;
            /**
             * @description Type of the value; cannot be changed.
             * @enum {string}
             */
            type: "date";
            /** @description Must fit the type. */
            value: string;
        };
        ListedLead: {
            id: string;
            /** @description Name of the person or company. */
            name?: string;
            /** @description Where the lead came from, such as `google_maps`. */
            source?: string;
            /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
            email?: string | null;
            /** @description Free text. Finds duplicates together with a similar name. */
            phone?: string | null;
            /** @description Free text. */
            website?: string | null;
            /** @description Where the person works. */
            company?: string | null;
            /** @description What the person does there. */
            job_title?: string | null;
            /** @description Free text. */
            linkedin_url?: string | null;
            address?: string | null;
            city?: string | null;
            state?: string | null;
            country?: string | null;
            postal_code?: string | null;
            category?: string | null;
            /** @description Long text. */
            description?: string | null;
            logo_url?: string | null;
            /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
            source_id?: string | null;
            /**
             * @description Any status may follow any other.
             * @enum {string}
             */
            status?: "new" | "contacted" | "qualified" | "disqualified" | "converted";
            /** @description Id of a stage of the account. Setting it sets the status; another status leaves it. */
            stage?: string | null;
            /** @description Why the lead was lost. */
            lost_reason?: string | null;
            /** @description Id of the member who looks after the lead. */
            owner?: string | null;
            /** @description What is to be done next. */
            next_step?: string | null;
            /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
            lawful_basis?: string | null;
            /** @description What the person agreed to, in the words shown. */
            consent?: string | null;
            /** @description What is known of the email: `ok`, `role` (a shared mailbox such as `info@`), `disposable`, `no_mx` (its domain takes no mail), `bounced`, or `unknown`; null without one. */
            email_status?: string | null;
            /** @description The company that it is of, by the domain of its website or email, else by its company and city: see `GET /companies`. Null where nothing says it. */
            company_id?: string | null;
            /** @description Degrees north. */
            latitude?: number | null;
            /** @description Degrees east. */
            longitude?: number | null;
            /** @description Any number. */
            rating?: number | null;
            /** @description A whole number of at least 0. */
            review_count?: number | null;
            /** @description Must fit the type. */
            value?: number | null;
            /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
            next_step_at?: number | null;
            /** @description When the person agreed: Unix seconds or an ISO date. */
            consent_at?: number | null;
            /** @description At most 100 tags of 200 characters, each once ignoring case. */
            tags?: string[];
            /** @description Unix seconds. */
            created_at?: number;
            /** @description Unix seconds. */
            updated_at?: number;
            /** @description Unix seconds. */
            last_interaction_at?: number;
            /** @description Custom fields, at most 200. */
            attributes?: components["schemas"]["Attribute"][];
            /** @description All emails, the first one first: `email` is the same. */
            emails?: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string;
            }[];
            /** @description All phones, the first one first: `phone` is the same. */
            phones?: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string;
            }[];
            /** @description Unix seconds of the newest note that it has; null without notes. */
            last_note_at?: number | null;
            /** @description How many notes it has. */
            note_count?: number;
            /** @description Unix seconds of the newest activity or change of its status to `contacted`; notes and pushes do not count. */
            last_contacted_at?: number | null;
            /** @description Unix seconds of the latest push, change, note or contact. */
            last_touched_at?: number;
            score?: number;
            /** @description Where the words of `q` are, when `highlight=true` asks for it. */
            highlight?: {
                /** @description A lead field, `attr:<name>` or `notes`. */
                field: string;
                /** @description HTML-escaped text with the words in `<mark>`. */
                snippet: string;
            } | null;
        };
        LeadPage: {
            leads: components["schemas"]["ListedLead"][];
            /** @description Pass it as `cursor` to get the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Whether there is more to read. */
            has_more: boolean;
            /** @description How many leads this page holds. */
            count: number;
            /** @description How many leads match, when `total=true` asks for it. */
            total?: number;
            /** @description Names in the request that do not exist, such as an attribute that no lead has. */
            warnings?: string[];
        };
        Lead: {
            /** @description `cl_` and a UUID. */
            id: string;
            /** @description Name of the person or company. */
            name: string;
            /** @description Where the lead came from, such as `google_maps`. */
            source: string;
            /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
            email: string | null;
            /** @description Free text. Finds duplicates together with a similar name. */
            phone: string | null;
            /** @description Free text. */
            website: string | null;
            /** @description Where the person works. */
            company: string | null;
            /** @description What the person does there. */
            job_title: string | null;
            /** @description Free text. */
            linkedin_url: string | null;
            address: string | null;
            city: string | null;
            state: string | null;
            country: string | null;
            postal_code: string | null;
            category: string | null;
            /** @description Long text. */
            description: string | null;
            logo_url: string | null;
            /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
            source_id: string | null;
            /**
             * @description Any status may follow any other.
             * @enum {string}
             */
            status: "new" | "contacted" | "qualified" | "disqualified" | "converted";
            /** @description Id of a stage of the account. Setting it sets the status; another status leaves it. */
            stage: string | null;
            /** @description Why the lead was lost. */
            lost_reason: string | null;
            /** @description Id of the member who looks after the lead. */
            owner: string | null;
            /** @description What is to be done next. */
            next_step: string | null;
            /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
            lawful_basis: string | null;
            /** @description What the person agreed to, in the words shown. */
            consent: string | null;
            /** @description What is known of the email: `ok`, `role` (a shared mailbox such as `info@`), `disposable`, `no_mx` (its domain takes no mail), `bounced`, or `unknown`; null without one. */
            email_status: string | null;
            /** @description The company that it is of, by the domain of its website or email, else by its company and city: see `GET /companies`. Null where nothing says it. */
            company_id: string | null;
            /** @description Degrees north. */
            latitude: number | null;
            /** @description Degrees east. */
            longitude: number | null;
            /** @description Any number. */
            rating: number | null;
            /** @description A whole number of at least 0. */
            review_count: number | null;
            /** @description Must fit the type. */
            value: number | null;
            /** @description When the next step is due, in Unix seconds. */
            next_step_at: number | null;
            /** @description When the person agreed, in Unix seconds. */
            consent_at: number | null;
            /** @description At most 100 tags of 200 characters, each once ignoring case. */
            tags: string[];
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. Moves when a field, tag or attribute really changes. */
            updated_at: number;
            /** @description Unix seconds. Moves on every push and update. */
            last_interaction_at: number;
            /** @description Custom fields. */
            attributes: components["schemas"]["Attribute"][];
            /** @description All emails, the first one first: `email` is the same. */
            emails: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string;
            }[];
            /** @description All phones, the first one first: `phone` is the same. */
            phones: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string;
            }[];
            /** @description Unix seconds of the newest note that it has; null without notes. */
            last_note_at: number | null;
            /** @description How many notes it has. */
            note_count: number;
            /** @description Unix seconds of the newest activity or change of its status to `contacted`; notes and pushes do not count. */
            last_contacted_at: number | null;
            /** @description Unix seconds of the latest push, change, note or contact. */
            last_touched_at: number;
            /** @description 0 to 100, from the scoring rules; 0 until rules apply. */
            score: number;
        };
        ImportColumn: {
            /** @description As the file names it. */
            column: string;
            /** @description A lead field, `attr:<name>:<type>`, or `-` for none. */
            target: string;
            /** @description The first value. */
            example: string | null;
            /** @description Rows with a value. */
            filled: number;
            /** @description Only with `details`, for statuses and tags: the first 200 distinct values, commonest first. */
            values?: {
                /** @description As the file has it. */
                value: string;
                /** @description Rows with it. */
                count: number;
                /** @description The status or tag; null for a word that is no status, empty for one that is left out. */
                becomes: string | null;
            }[];
        };
        ImportReport: {
            /**
             * @description Only in a repeat of a request that was cut off: how its import ended.
             * @enum {string}
             */
            state?: "running" | "done" | "failed" | "undone" | "interrupted";
            /** @description Only in a repeat of a request that was cut off: why its import ended before its last row. */
            error?: string;
            /** @description Id of the import; null for a dry run. */
            id: string | null;
            /** @description Nothing was changed. */
            dry_run: boolean;
            /**
             * @description Detected format.
             * @enum {string}
             */
            format: "csv" | "json" | "ndjson" | "xlsx" | "vcf";
            /** @description The program whose files look so; null for any other. */
            preset: string | null;
            /** @description The mapping that the import went by. */
            mapping: {
                /** @description Null when it was only remembered. */
                name: string | null;
                /** @description True when it was reused because a file with the same header was imported before. */
                is_reused: boolean;
                /** @description Only with `details`: the options of the mapping. */
                options?: {
                    [key: string]: unknown;
                };
            } | null;
            /** @description The sheet of the workbook that was read. */
            sheet: string | null;
            /**
             * @description Decimal separator of the file.
             * @enum {string}
             */
            decimal: "dot" | "comma";
            /** @description Rows that were read; blank ones do not count. */
            total: number;
            /** @description New leads. */
            created: number;
            /** @description Rows that were merged into the leads they repeat. */
            merged: number;
            /** @description Merged rows by criterion. */
            merged_by: {
                /** @description Same email. */
                email: number;
                /** @description Same source_id. */
                source_id: number;
                /** @description Same phone and a similar name. */
                phone: number;
            };
            /** @description Skipped rows: the lead already exists and `on_duplicate` is `skip`, or it is on the do-not-contact list and `on_suppressed` is `skip`. */
            skipped: number;
            /** @description New leads with the name and city of another. */
            potential_duplicates: number;
            /** @description New leads that are a pair of the duplicates queue instead of a merge, as `on_duplicate=ask` and guessed columns make them; else left out where there are none. */
            asked?: number;
            /** @description Rows that were not imported. */
            rejected: number;
            /** @description Why, for the first 1,000. */
            errors: {
                /** @description Line of the file where the row begins, from 1; the row of the sheet in XLSX. */
                line: number;
                /** @description The problem with the row. */
                message: string;
            }[];
            /** @description Whether more rows were rejected than `errors` names. */
            errors_truncated: boolean;
            /** @description Warnings about imported rows, the first 1,000. */
            warnings: {
                /** @description Line of the file, as in `errors`. */
                line: number;
                /** @description As the file names it. */
                column: string;
                /** @description The value in the file. */
                value: string;
                /**
                 * @description How the value was handled.
                 * @enum {string}
                 */
                kind: "left_out" | "cut" | "kept_as_text" | "status_kept" | "name_made" | "row_shape" | "conflict" | "too_many" | "missing" | "imported_before";
                /** @description Explanation for people. */
                message: string;
            }[];
            /** @description Whether there are more than `warnings` names. */
            warnings_truncated: boolean;
            /** @description Only with `details`: the warnings by kind, column and value, commonest first. */
            warning_groups?: {
                /**
                 * @description How the values were handled.
                 * @enum {string}
                 */
                kind: "left_out" | "cut" | "kept_as_text" | "status_kept" | "name_made" | "row_shape" | "conflict" | "too_many" | "missing" | "imported_before";
                /** @description As the file names it. */
                column: string;
                /** @description The value that all of them have; null where they differ. */
                value: string | null;
                /** @description How many warnings there are. */
                count: number;
                /** @description Line of the first. */
                line: number;
                /** @description Explanation of the first. */
                message: string;
            }[];
            /** @description Where each column went, at most 1,000. */
            columns: components["schemas"]["ImportColumn"][];
            /** @description Readings that the file does not decide, at most 100. */
            guesses: {
                /** @description As the file names it. */
                column: string;
                /** @description What its values were taken for. */
                what: string;
                /** @description Why, and what to say if it is wrong. */
                reason: string;
                /** @description A value of the file, and what it becomes. */
                example: string;
            }[];
            /** @description Words for no value, such as `NULL`, that were left out. */
            dropped: {
                /** @description As the file names it. */
                column: string;
                /** @description How many of its values were left out. */
                count: number;
                /** @description The first of them. */
                example: string;
            }[];
            /** @description The first three leads of the file. */
            preview: {
                /** @description Name of the person or company. */
                name: string;
                /** @description Where the lead came from, such as `google_maps`. */
                source: string;
                /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
                email?: string | null;
                /** @description Free text. Finds duplicates together with a similar name. */
                phone?: string | null;
                /** @description Free text. */
                website?: string | null;
                /** @description Where the person works. */
                company?: string | null;
                /** @description What the person does there. */
                job_title?: string | null;
                /** @description Free text. */
                linkedin_url?: string | null;
                address?: string | null;
                city?: string | null;
                state?: string | null;
                country?: string | null;
                postal_code?: string | null;
                category?: string | null;
                /** @description Long text. */
                description?: string | null;
                logo_url?: string | null;
                /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
                source_id?: string | null;
                /** @description Id or name of a stage of the account, which sets the status. */
                stage?: string | null;
                /** @description Why the lead was lost. */
                lost_reason?: string | null;
                /** @description Id of the member who looks after the lead. */
                owner?: string | null;
                /** @description What is to be done next. */
                next_step?: string | null;
                /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
                lawful_basis?: string | null;
                /** @description What the person agreed to, in the words shown. */
                consent?: string | null;
                /** @description Degrees north. */
                latitude?: number | null;
                /** @description Degrees east. */
                longitude?: number | null;
                /** @description Any number. */
                rating?: number | null;
                /** @description A whole number of at least 0. */
                review_count?: number | null;
                /** @description Must fit the type. */
                value?: number | null;
                /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
                next_step_at?: (number | string) | null;
                /** @description When the person agreed: Unix seconds or an ISO date. */
                consent_at?: (number | string) | null;
                /** @description At most 100 tags of 200 characters, each once ignoring case. */
                tags?: string[] | null;
                /**
                 * @description Default `new`. Any status may follow any other.
                 * @enum {string|null}
                 */
                status?: "new" | "contacted" | "qualified" | "disqualified" | "converted" | null;
                /** @description All emails, the first one first: `email` is the same. */
                emails?: {
                    /** @description The email, or the phone. */
                    value: string;
                    /** @description What it is for, such as `work` or `mobile`. */
                    label?: string | null;
                    /** @description What is known of it, such as `bounced`. */
                    status?: string | null;
                }[] | null;
                /** @description All phones, the first one first: `phone` is the same. */
                phones?: {
                    /** @description The email, or the phone. */
                    value: string;
                    /** @description What it is for, such as `work` or `mobile`. */
                    label?: string | null;
                    /** @description What is known of it, such as `bounced`. */
                    status?: string | null;
                }[] | null;
                /** @description Custom fields, at most 200. */
                attributes?: {
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Each name once per lead. */
                    name: string;
                    /**
                     * @description What the value is.
                     * @enum {string}
                     */
                    type: "text" | "number" | "bool" | "list" | "object" | "date";
                    /** @description Must fit the type. */
                    value: components["schemas"]["AttributeValue"];
                }[] | null;
                /** @description Set by the service; accepted and ignored. */
                readonly id?: string;
                /** @description Set by the service; accepted and ignored. */
                readonly score?: number;
                /** @description Set by the service; accepted and ignored. */
                readonly email_status?: string | null;
                /** @description Set by the service; accepted and ignored. */
                readonly company_id?: string | null;
                /** @description Set by the service; accepted and ignored. */
                readonly created_at?: number;
                /** @description Set by the service; accepted and ignored. */
                readonly updated_at?: number;
                /** @description Set by the service; accepted and ignored. */
                readonly last_interaction_at?: number;
                /** @description Set by the service; accepted and ignored. */
                readonly last_note_at?: number | null;
                /** @description Set by the service; accepted and ignored. */
                readonly note_count?: number;
                /** @description Set by the service; accepted and ignored. */
                readonly last_contacted_at?: number | null;
                /** @description Set by the service; accepted and ignored. */
                readonly last_touched_at?: number;
            }[];
            /** @description The merges of a dry run; null in an import. */
            merges: {
                /** @description Rows that repeat an earlier row of the file. */
                within_file: number;
                /** @description Rows that repeat a lead of the account. */
                into_leads: number;
                /** @description The first 100, in the order of the file. */
                samples: {
                    /** @description Lines of the file: of the row, behind that of the earlier row which it repeats. */
                    rows: number[];
                    /** @description The lead that it repeats; absent within the file. */
                    lead_id?: string;
                    /** @description Name of the lead before the merge. */
                    name: string;
                    /** @description What they have in common. */
                    reason: string;
                    /** @description By field, the value before and after the merge. */
                    changes: {
                        [key: string]: unknown[];
                    };
                }[];
            } | null;
            /** @description The numbers at a glance. */
            summary: {
                /** @description Rows that were read. */
                rows: number;
                /** @description New leads. */
                created: number;
                /** @description Rows that were merged. */
                merged: number;
                /** @description Skipped rows. */
                skipped: number;
                /** @description Rows that were not imported. */
                rejected: number;
                /** @description Rejected rows that the plan has no room for. */
                without_room: number;
                /** @description How many warnings there are of each kind. */
                warnings: {
                    [key: string]: number;
                };
                /** @description Room that the plan had left before the first row; null without a limit. */
                room: {
                    /** @description Name of the plan. */
                    plan: string;
                    /** @description Leads that it keeps. */
                    leads_limit: number;
                    /** @description Leads it had before the import. */
                    leads_used: number;
                    /** @description Leads it could still take. */
                    leads_left: number;
                    /** @description Whether all new leads fit. */
                    fits: boolean;
                } | null;
            };
        };
        Import: {
            /** @description `imp_` and a UUID. */
            id: string;
            /** @description For people; defaults to the file's name. */
            name: string;
            /** @description As it was sent. */
            file_name: string | null;
            /**
             * @description State of the import; `interrupted`: cut off, and nothing goes on with it.
             * @enum {string}
             */
            state: "running" | "done" | "failed" | "undone" | "interrupted";
            /** @description Who imported. */
            actor_id: string;
            /** @description With which API key. */
            key_id: string;
            /** @description The program whose files look so; null for any other. */
            preset: string | null;
            /** @description New leads. */
            created: number;
            /** @description Rows that were merged. */
            merged: number;
            /** @description Skipped rows. */
            skipped: number;
            /** @description Rows that were not imported. */
            rejected: number;
            /** @description How many warnings there are. */
            warnings: number;
            /** @description Progress. */
            progress: {
                /** @description Rows processed. */
                done: number;
                /** @description Rows in all; null while unknown. */
                of: number | null;
                /** @description Rows a second. */
                rate: number | null;
                /** @description Seconds until it is done. */
                seconds_left: number | null;
            };
            /** @description Id of its job; null for an import without one. */
            job: string | null;
            /** @description Id of the job that undoes it; null without one. */
            undo_job: string | null;
            /** @description Reason of the failure. */
            error: string | null;
            /** @description The code of that error, as REST answers it; null where there is none. */
            code: string | null;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            ended_at: number | null;
            /** @description Unix seconds. */
            undone_at: number | null;
        };
        ChangeBatch: {
            /** @description For `POST /changes/revert`. */
            batch_id: string;
            /**
             * @description What was done.
             * @enum {string}
             */
            kind: "import" | "bulk" | "merge" | "undo" | "revert" | "erase" | "single";
            /** @description How many leads were changed. */
            leads: number;
            /** @description How many changes there were. */
            changes: number;
            /**
             * @description What each of its changes did; absent where they differ.
             * @enum {string}
             */
            action?: "created" | "updated" | "merged" | "deleted";
            /** @description Id of the member or key that did it. */
            actor: string;
            /** @description Name of the member or key, while there is one. */
            actor_name?: string;
            /** @description Time of the last change, as ISO 8601. */
            at: string;
            /** @description Fields and new values with the number of leads, such as `status -> disqualified, 128`: the commonest ten. */
            what: string[];
            /** @description Unix seconds of the first change. */
            started_at: number;
            /** @description Unix seconds of the last change. */
            ended_at: number;
            /** @description The import that it was. */
            import_id?: string;
            /** @description Of merges, the newest 50: for `POST /merges/{id}/undo`. */
            merge_ids?: string[];
            /** @description The batch that reverted it. */
            undone_by?: string;
        };
        ImportMapping: {
            /** @description Unique in the account. */
            name: string;
            /** @description Options of the mapping. */
            options: {
                [key: string]: unknown;
            };
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            used_at: number;
        };
        Origin: {
            /**
             * @description What set the value.
             * @enum {string}
             */
            kind: "push" | "import" | "change" | "merge" | "enrichment";
            /** @description The source that the push or enrichment named. */
            source: string | null;
            /** @description When the source knew it, else when it was written, in Unix seconds. */
            at: number;
            /** @description The user or key; null where the trail does not reach back that far. */
            actor_id: string | null;
            /** @description The import that brought it. */
            import_id: string | null;
            /** @description 0 to 1, as the enrichment told it. */
            confidence: number | null;
        };
        ReadLead: {
            id: string;
            /** @description Name of the person or company. */
            name: string;
            /** @description Where the lead came from, such as `google_maps`. */
            source: string;
            /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
            email: string | null;
            /** @description Free text. Finds duplicates together with a similar name. */
            phone: string | null;
            /** @description Free text. */
            website: string | null;
            /** @description Where the person works. */
            company: string | null;
            /** @description What the person does there. */
            job_title: string | null;
            /** @description Free text. */
            linkedin_url: string | null;
            address: string | null;
            city: string | null;
            state: string | null;
            country: string | null;
            postal_code: string | null;
            category: string | null;
            /** @description Long text. */
            description: string | null;
            logo_url: string | null;
            /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
            source_id: string | null;
            /**
             * @description Any status may follow any other.
             * @enum {string}
             */
            status: "new" | "contacted" | "qualified" | "disqualified" | "converted";
            /** @description Id of a stage of the account. Setting it sets the status; another status leaves it. */
            stage: string | null;
            /** @description Why the lead was lost. */
            lost_reason: string | null;
            /** @description Id of the member who looks after the lead. */
            owner: string | null;
            /** @description What is to be done next. */
            next_step: string | null;
            /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
            lawful_basis: string | null;
            /** @description What the person agreed to, in the words shown. */
            consent: string | null;
            /** @description What is known of the email: `ok`, `role` (a shared mailbox such as `info@`), `disposable`, `no_mx` (its domain takes no mail), `bounced`, or `unknown`; null without one. */
            email_status: string | null;
            /** @description The company that it is of, by the domain of its website or email, else by its company and city: see `GET /companies`. Null where nothing says it. */
            company_id: string | null;
            /** @description Degrees north. */
            latitude: number | null;
            /** @description Degrees east. */
            longitude: number | null;
            /** @description Any number. */
            rating: number | null;
            /** @description A whole number of at least 0. */
            review_count: number | null;
            /** @description Must fit the type. */
            value: number | null;
            /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
            next_step_at: number | null;
            /** @description When the person agreed: Unix seconds or an ISO date. */
            consent_at: number | null;
            /** @description At most 100 tags of 200 characters, each once ignoring case. */
            tags: string[];
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
            /** @description Unix seconds. */
            last_interaction_at: number;
            /** @description Custom fields. */
            attributes: components["schemas"]["Attribute"][];
            /** @description All emails, the first one first: `email` is the same. */
            emails: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string;
            }[];
            /** @description All phones, the first one first: `phone` is the same. */
            phones: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string;
            }[];
            /** @description Unix seconds of the newest note that it has; null without notes. */
            last_note_at: number | null;
            /** @description How many notes it has. */
            note_count: number;
            /** @description Unix seconds of the newest activity or change of its status to `contacted`; notes and pushes do not count. */
            last_contacted_at: number | null;
            /** @description Unix seconds of the latest push, change, note or contact. */
            last_touched_at: number;
            score: number;
            /** @description With `include=origins`: by field, and `attr:` and the name of an attribute. */
            origins?: {
                [key: string]: components["schemas"]["Origin"];
            };
        };
        SuppressedBy: {
            /** @description Id of the entry of the do-not-contact list; null for a key that is bound to a segment. */
            id: string | null;
            /**
             * @description What the entry names.
             * @enum {string}
             */
            kind: "email" | "domain" | "phone" | "hash";
            /** @description The email, domain or phone; a keyed hash for an erased person. */
            value: string;
            /** @description Why it is on the list; null for such a key. */
            reason: string | null;
        };
        PushedLead: {
            /** @description Id of the new lead, or of the one it was merged into. */
            id: string;
            /** @description Name of the person or company. */
            name: string;
            /** @description Where the lead came from, such as `google_maps`. */
            source: string;
            /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
            email: string | null;
            /** @description Free text. Finds duplicates together with a similar name. */
            phone: string | null;
            /** @description Free text. */
            website: string | null;
            /** @description Where the person works. */
            company: string | null;
            /** @description What the person does there. */
            job_title: string | null;
            /** @description Free text. */
            linkedin_url: string | null;
            address: string | null;
            city: string | null;
            state: string | null;
            country: string | null;
            postal_code: string | null;
            category: string | null;
            /** @description Long text. */
            description: string | null;
            logo_url: string | null;
            /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
            source_id: string | null;
            /**
             * @description Any status may follow any other.
             * @enum {string}
             */
            status: "new" | "contacted" | "qualified" | "disqualified" | "converted";
            /** @description Id of a stage of the account. Setting it sets the status; another status leaves it. */
            stage: string | null;
            /** @description Why the lead was lost. */
            lost_reason: string | null;
            /** @description Id of the member who looks after the lead. */
            owner: string | null;
            /** @description What is to be done next. */
            next_step: string | null;
            /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
            lawful_basis: string | null;
            /** @description What the person agreed to, in the words shown. */
            consent: string | null;
            /** @description What is known of the email: `ok`, `role` (a shared mailbox such as `info@`), `disposable`, `no_mx` (its domain takes no mail), `bounced`, or `unknown`; null without one. */
            email_status: string | null;
            /** @description The company that it is of, by the domain of its website or email, else by its company and city: see `GET /companies`. Null where nothing says it. */
            company_id: string | null;
            /** @description Degrees north. */
            latitude: number | null;
            /** @description Degrees east. */
            longitude: number | null;
            /** @description Any number. */
            rating: number | null;
            /** @description A whole number of at least 0. */
            review_count: number | null;
            /** @description Must fit the type. */
            value: number | null;
            /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
            next_step_at: number | null;
            /** @description When the person agreed: Unix seconds or an ISO date. */
            consent_at: number | null;
            /** @description At most 100 tags of 200 characters, each once ignoring case. */
            tags: string[];
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
            /** @description Unix seconds. */
            last_interaction_at: number;
            /** @description Custom fields, at most 200. */
            attributes: components["schemas"]["Attribute"][];
            /** @description All emails, the first one first: `email` is the same. */
            emails: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string;
            }[];
            /** @description All phones, the first one first: `phone` is the same. */
            phones: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string;
            }[];
            /** @description Unix seconds of the newest note that it has; null without notes. */
            last_note_at: number | null;
            /** @description How many notes it has. */
            note_count: number;
            /** @description Unix seconds of the newest activity or change of its status to `contacted`; notes and pushes do not count. */
            last_contacted_at: number | null;
            /** @description Unix seconds of the latest push, change, note or contact. */
            last_touched_at: number;
            /** @description 0 to 100, from the scoring rules. */
            score: number;
            /** @description What happened, for people. */
            message: string;
            /**
             * @description True when the lead was merged into an existing one; else absent.
             * @constant
             */
            duplicate?: true;
            /** @description A lead with the same name and city, or phone and a similar name. */
            potential_duplicate_id?: string;
            /** @description `name` and `email`, where a merge replaced both on a lead of another source: it may be somebody else. */
            replaced?: string[];
            /** @description What a merge changed: `[before, after]` by field; attributes are `attr:` and their name. */
            changed?: {
                [key: string]: unknown[];
            };
            /** @description Up to five leads that may be the same. */
            possible_duplicates?: {
                id: string;
                /** @description Name of the person or company. */
                name: string;
                /** @description What they have in common. */
                reason: string;
            }[];
            /**
             * @description Nothing was saved, as `on_suppressed=skip` wants it; the `id` is empty.
             * @constant
             */
            skipped?: true;
            /** @description The entry of the do-not-contact list that it matches. */
            suppressed?: components["schemas"]["SuppressedBy"];
            /** @description About values that are kept but are no key, such as an email without a dot in its domain. */
            warnings?: string[];
            /**
             * @description Nothing was saved; the `id` of a new lead is not valid.
             * @constant
             */
            dry_run?: true;
        };
        EnrichedLead: {
            id: string;
            /** @description Name of the person or company. */
            name: string;
            /** @description Where the lead came from, such as `google_maps`. */
            source: string;
            /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
            email: string | null;
            /** @description Free text. Finds duplicates together with a similar name. */
            phone: string | null;
            /** @description Free text. */
            website: string | null;
            /** @description Where the person works. */
            company: string | null;
            /** @description What the person does there. */
            job_title: string | null;
            /** @description Free text. */
            linkedin_url: string | null;
            address: string | null;
            city: string | null;
            state: string | null;
            country: string | null;
            postal_code: string | null;
            category: string | null;
            /** @description Long text. */
            description: string | null;
            logo_url: string | null;
            /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
            source_id: string | null;
            /**
             * @description Any status may follow any other.
             * @enum {string}
             */
            status: "new" | "contacted" | "qualified" | "disqualified" | "converted";
            /** @description Id of a stage of the account. Setting it sets the status; another status leaves it. */
            stage: string | null;
            /** @description Why the lead was lost. */
            lost_reason: string | null;
            /** @description Id of the member who looks after the lead. */
            owner: string | null;
            /** @description What is to be done next. */
            next_step: string | null;
            /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
            lawful_basis: string | null;
            /** @description What the person agreed to, in the words shown. */
            consent: string | null;
            /** @description What is known of the email: `ok`, `role` (a shared mailbox such as `info@`), `disposable`, `no_mx` (its domain takes no mail), `bounced`, or `unknown`; null without one. */
            email_status: string | null;
            /** @description The company that it is of, by the domain of its website or email, else by its company and city: see `GET /companies`. Null where nothing says it. */
            company_id: string | null;
            /** @description Degrees north. */
            latitude: number | null;
            /** @description Degrees east. */
            longitude: number | null;
            /** @description Any number. */
            rating: number | null;
            /** @description A whole number of at least 0. */
            review_count: number | null;
            /** @description Must fit the type. */
            value: number | null;
            /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
            next_step_at: number | null;
            /** @description When the person agreed: Unix seconds or an ISO date. */
            consent_at: number | null;
            /** @description At most 100 tags of 200 characters, each once ignoring case. */
            tags: string[];
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
            /** @description Unix seconds. */
            last_interaction_at: number;
            /** @description Custom fields, at most 200. */
            attributes: components["schemas"]["Attribute"][];
            /** @description All emails, the first one first: `email` is the same. */
            emails: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string;
            }[];
            /** @description All phones, the first one first: `phone` is the same. */
            phones: {
                /** @description The email, or the phone. */
                value: string;
                /** @description What it is for, such as `work` or `mobile`. */
                label: string | null;
                /** @description What is known of it, such as `bounced`. */
                status?: string;
            }[];
            /** @description Unix seconds of the newest note that it has; null without notes. */
            last_note_at: number | null;
            /** @description How many notes it has. */
            note_count: number;
            /** @description Unix seconds of the newest activity or change of its status to `contacted`; notes and pushes do not count. */
            last_contacted_at: number | null;
            /** @description Unix seconds of the latest push, change, note or contact. */
            last_touched_at: number;
            score: number;
            /** @description The fields that were set; an attribute is `attr:` and its name. */
            filled: string[];
            /** @description The fields that the lead has already, which are left as they are. */
            kept: string[];
        };
        Suppression: {
            /** @description `sup_` and a UUID. */
            id: string;
            /**
             * @description `hash` stands for the email or phone of an erased person.
             * @enum {string}
             */
            kind: "email" | "domain" | "phone" | "hash";
            /** @description The email, domain or phone as it was sent; a keyed hash for an erased person. */
            value: string;
            /** @description Why; `unsubscribed` for the link in a mail, `erased` for an erased person. */
            reason: string | null;
            /** @description Unix seconds. */
            created_at: number;
        };
        Change: {
            /** @description UUID. */
            id: string;
            /** @description `cl_` and a UUID. */
            lead_id: string;
            /** @description The account. */
            user_id: string;
            /** @description The member that the proxy named in X-Actor-Id, else the API key. */
            actor_id: string;
            /**
             * @description What happened to the lead.
             * @enum {string}
             */
            action: "created" | "updated" | "merged" | "deleted";
            /** @description For a merge: `dedup:email`, `dedup:source_id` or `dedup:phone`. */
            reason: string | null;
            /** @description Unix seconds. */
            created_at: number;
            /** @description The lead before; null when it was created. */
            before: components["schemas"]["Lead"] | null;
            /** @description The lead after; null when it was deleted. */
            after: components["schemas"]["Lead"] | null;
        };
        FeedChange: {
            /** @description UUID. */
            id: string;
            /** @description `cl_` and a UUID. */
            lead_id: string;
            /** @description The account. */
            user_id: string;
            /** @description The member that the proxy named in X-Actor-Id, else the API key. */
            actor_id: string;
            /**
             * @description What happened to the lead.
             * @enum {string}
             */
            action: "created" | "updated" | "merged" | "deleted";
            /** @description `dedup:<criterion>` for a merge, `revert:<id>` for a revert. */
            reason: string | null;
            /** @description Unix seconds. */
            created_at: number;
            /** @description The lead before; null when it was created. With `view=full`. */
            before?: components["schemas"]["Lead"] | null;
            /** @description The lead after; null when it was deleted. With `view=full`. */
            after?: components["schemas"]["Lead"] | null;
            /** @description Each field before and after; an attribute is `attr:<name>`. */
            diff?: {
                [key: string]: unknown[];
            };
            /** @description The API key that was used; null for changes recorded by older versions. */
            key_id: string | null;
            /**
             * @description Who named the actor in X-Actor-Id: `proxy` by the proxy's secret, `header` with an owner's key alone; otherwise absent.
             * @enum {string}
             */
            actor_from?: "proxy" | "header";
            /** @description Shared by all changes that were made together: by one request, import or job. */
            batch_id: string;
            /** @description The import that made the change. */
            import_id: string | null;
        };
        ChangeFeed: {
            /** @description In the order asked for. */
            changes: components["schemas"]["FeedChange"][];
            /** @description Cursor of the next page: with `order=asc` always present and valid as long as the trail is kept; else null on the last page. */
            next_cursor: string | null;
            /** @description Whether there is more to read. */
            has_more: boolean;
            /** @description Number of items in this answer. */
            count: number;
        };
        ChangeBatches: {
            /** @description Newest first. */
            batches: components["schemas"]["ChangeBatch"][];
            /** @description Cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description More batches follow. */
            has_more: boolean;
        };
        Job: {
            /** @description `job_` and a UUID. */
            id: string;
            /** @description Kind of work. */
            kind: string;
            /**
             * @description State of the job.
             * @enum {string}
             */
            state: "waiting" | "running" | "done" | "failed" | "stopped";
            /** @description Items processed. */
            done: number;
            /** @description Items in all; null while unknown. */
            of: number | null;
            /** @description Number of items that failed. */
            failed: number;
            /** @description Failed items with the reason, at most 1,000. */
            errors: {
                /** @description `cl_` and a UUID. */
                lead_id?: string;
                /** @description Why. */
                message: string;
            }[];
            /** @description Shared by all changes that were made together: by one request, import or job. */
            batch_id: string | null;
            /** @description Unix seconds; null while it waits. */
            started_at: number | null;
            /** @description Unix seconds; null until then. */
            ended_at: number | null;
            /** @description Of merges that have ended, the newest 50: for `POST /merges/{id}/undo`. */
            merge_ids?: string[];
        };
        DuplicateModel: {
            /** @description Whether weights learn from decisions. */
            learning: boolean;
            /** @description Pairs at or above this probability are merged automatically; null for off. */
            auto_merge_above: number | null;
            /** @description Single merges and dismissals, the latest 2,000. */
            decisions: {
                /** @description Merged. */
                same: number;
                /** @description Dismissed pairs. */
                different: number;
            };
            /** @description Whether the weights were learned from your decisions. */
            learned: boolean;
            /** @description Mean surprise in bits by a decision, cross-validated: learned weights are used only where theirs is at least 2 % lower. Null below 20 decisions. */
            loss: {
                /** @description Decisions that were compared. */
                decisions: number;
                /** @description With the built-in weights. */
                built_in: number;
                /** @description With weights learned from the other decisions. */
                learned: number;
            } | null;
            /** @description Weights in bits, by feature of a pair. */
            weights: {
                [key: string]: number;
            };
            /** @description How many decided pairs were the same. */
            precision: {
                /** @description Pairs at or above this probability. */
                from: number;
                /** @description Decisions on them. */
                decisions: number;
                /** @description The share that was the same; null without decisions. */
                precision: number | null;
            }[];
        };
        ShortLead: {
            id: string;
            /** @description Name of the person or company. */
            name: string;
            /** @description Where the person works. */
            company: string | null;
            /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
            email: string | null;
            /** @description Free text. Finds duplicates together with a similar name. */
            phone: string | null;
            /** @description Free text. */
            website: string | null;
            address: string | null;
            city: string | null;
            country: string | null;
            /** @description Where the lead came from, such as `google_maps`. */
            source: string;
            /** @description Unix seconds. */
            created_at: number;
            score: number;
        };
        Duplicate: {
            /** @description `dup_` and a number. */
            id: string;
            /** @description Probability that both are the same, 0-1. */
            probability: number;
            /** @description Reasons for and against, the strongest first. */
            reasons: {
                /** @description The lead's field, `distance` or `attributes`. */
                field: string;
                /** @description For people. */
                text: string;
                /** @description Weight in bits: each bit doubles the odds, below 0 it halves them. */
                bits: number;
            }[];
            /** @description The older lead. */
            a: components["schemas"]["ShortLead"];
            /** @description The other lead. */
            b: components["schemas"]["ShortLead"];
            /**
             * @description `merged` after a merge, `dismissed` when marked as not duplicates.
             * @enum {string}
             */
            state: "open" | "dismissed" | "merged";
            /** @description When the pair was found, Unix seconds. */
            created_at: number;
        };
        DuplicatePage: {
            /** @description The pairs, the most probable first; not with `view=groups`. */
            duplicates?: components["schemas"]["Duplicate"][];
            /** @description With `view=groups`. */
            groups?: {
                /** @description The mean over all pairs of its leads. */
                probability: number;
                /** @description The oldest first, at most 20. */
                leads: components["schemas"]["ShortLead"][];
                /** @description Ids of the pairs among them. */
                pairs: string[];
            }[];
            /** @description Pass it as `cursor` to get the next page; null on the last page. */
            next_cursor: string | null;
            /** @description Whether there is more to read. */
            has_more: boolean;
            /** @description Number of items in this answer. */
            count: number;
        };
        BatchCreateResult: {
            /** @description The leads that were saved, or merged. */
            created: {
                /** @description Index in the request, from 0. */
                index: number;
                /** @description Id of the new lead, or of the one it was merged into. */
                id: string;
                /** @description Unix seconds. */
                created_at: number;
                /**
                 * @description True when the lead was merged into an existing one; else absent.
                 * @constant
                 */
                duplicate?: true;
                /** @description A lead with the same name and city, or phone and a similar name. */
                potential_duplicate_id?: string;
                /** @description The entry that it matches, with `on_suppressed=mark`. */
                suppressed?: components["schemas"]["SuppressedBy"];
                /** @description About values that are kept but are no key. */
                warnings?: string[];
            }[];
            /** @description The leads that were not. */
            errors: {
                /** @description Index in the request, from 0. */
                index: number;
                /** @description Why the item was not saved. */
                message: string;
            }[];
            /** @description With `on_suppressed=skip`: the leads that were left out, which count as successes. */
            skipped?: {
                /** @description Index in the request, from 0. */
                index: number;
                /** @description The entry of the do-not-contact list. */
                message: string;
            }[];
            /** @description How many items were sent. */
            total: number;
            /** @description How many succeeded. */
            success: number;
            /** @description How many failed. */
            failed: number;
            /** @description Shared by all changes that were made together: by one request, import or job. */
            batch_id: string;
        };
        BatchResult: {
            /** @description Result for each lead. */
            results: {
                /** @description Index in the request, from 0. */
                index: number;
                /** @description As it was sent. */
                id: string;
                /** @description Whether this lead was changed. */
                success: boolean;
                /** @description Why it was not. */
                message?: string;
            }[];
            /** @description How many items were sent. */
            total: number;
            /** @description How many succeeded. */
            success: number;
            /** @description How many failed. */
            failed: number;
            /** @description Shared by all changes that were made together: by one request, import or job. */
            batch_id: string;
        };
        Note: {
            /** @description `note_` and a UUID. */
            id: string;
            /** @description `cl_` and a UUID. */
            lead_id: string;
            /** @description Free text. */
            content: string;
            /** @description Who wrote it: the name of a member, or of a key; null for notes of older versions. */
            author: string | null;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
        };
        Activity: {
            /** @description `act_` and a UUID. */
            id: string;
            /** @description `cl_` and a UUID. */
            lead_id: string;
            /**
             * @description What it was.
             * @enum {string}
             */
            kind: "call" | "email" | "meeting" | "other";
            /**
             * @description What came of it.
             * @enum {string|null}
             */
            outcome: "reached" | "no_answer" | "voicemail" | "declined" | "booked" | null;
            /** @description Free text. */
            text: string | null;
            /** @description When it was, in Unix seconds. */
            at: number;
            /** @description Who logged it: the name of a member, or of a key; its id for what older versions logged by one. */
            author: string;
            /** @description Id of the member who logged it; null for keys. */
            member_id: string | null;
            /** @description Unix seconds. */
            created_at: number;
        };
        Template: {
            /** @description `tpl_` and a UUID. */
            id: string;
            /** @description Name of the person or company. */
            name: string;
            /** @description With fields of a lead in double braces. */
            subject: string;
            /** @description Plain text, with fields of a lead in double braces. */
            body: string;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
        };
        ScoringRule: {
            /** @description `rule_` and a UUID. */
            id: string;
            /** @description For people. */
            name: string;
            /** @description Such as `rating >= 4 ? 20 : 0`. */
            expression: string;
            /** @description Factor for the expression's value. */
            weight: number;
            /** @description Orders the rules in lists, lowest first. */
            priority: number;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
        };
        Segment: {
            id: string;
            /** @description Name of the person or company. */
            name: string;
            /** @description Filters, as in lists. */
            filter: string[];
            /** @description Search of the list; null without one. */
            q: string | null;
            /** @description How lists of the segment are sorted; null for the default. */
            sort_by: string | null;
            /**
             * @description The direction; null for the default.
             * @enum {string|null}
             */
            sort_order: "ASC" | "DESC" | null;
            /**
             * @description True where `lead.needs_enrichment` is sent for its leads, once for each; else absent.
             * @constant
             */
            enrich?: true;
            /** @description How many leads it has now. */
            count: number;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
        };
        Company: {
            id: string;
            /** @description As its leads name it. */
            name: string;
            /** @description Of its website or emails; null for one that is known by its name and city. */
            domain: string | null;
            /** @description How many leads are of it. */
            leads: number;
            /** @description When one of them was touched last, in Unix seconds. */
            last_touched_at: number;
            /** @description When the first of their next steps is due, in Unix seconds. */
            next_step_at: number | null;
            /** @description Whether one of them at least is not on the do-not-contact list. */
            contactable: boolean;
        };
        MergedCompany: {
            id: string;
            /** @description As its leads name it. */
            name: string;
            /** @description Of its website or emails; null for one that is known by its name and city. */
            domain: string | null;
            /** @description How many leads are of it. */
            leads: number;
            /** @description When one of them was touched last, in Unix seconds. */
            last_touched_at: number;
            /** @description When the first of their next steps is due, in Unix seconds. */
            next_step_at: number | null;
            /** @description Whether one of them at least is not on the do-not-contact list. */
            contactable: boolean;
            /** @description The batch of the leads' changes, for `POST /changes/revert`, which parts the companies again. */
            batch_id: string;
            /** @description Id of the job that changes them: see `GET /jobs/{id}`. */
            job?: string;
        };
        Stage: {
            id: string;
            /** @description Unique in the account, ignoring case. */
            name: string;
            /**
             * @description The status of all leads in it.
             * @enum {string}
             */
            status: "new" | "contacted" | "qualified" | "disqualified" | "converted";
            /** @description A colour's name, or `#rrggbb`. */
            color: string;
            /** @description Its place among the stages: the least comes first. */
            position: number;
        };
        ChangedStage: {
            id: string;
            /** @description Unique in the account, ignoring case. */
            name: string;
            /**
             * @description The status of all leads in it.
             * @enum {string}
             */
            status: "new" | "contacted" | "qualified" | "disqualified" | "converted";
            /** @description A colour's name, or `#rrggbb`. */
            color: string;
            /** @description Its place among the stages: the least comes first. */
            position: number;
            /** @description Leads that were in it and change with it. */
            leads?: number;
            /** @description The batch of their changes, for `POST /changes/revert`. */
            batch_id?: string;
            /** @description Id of the job that changes them, for more than 1,000: see `GET /jobs/{id}`. */
            job?: string;
        };
        Link: {
            id: string;
            /** @description Id of the segment. */
            segment: string;
            /** @description The lead fields that it shows, in this order. */
            fields: string[];
            /** @description Whether a password is asked for. */
            has_password: boolean;
            /** @description The user or key that made it. */
            actor_id: string;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds; null for never. */
            expires_at: number | null;
        };
        MadeLink: {
            id: string;
            /** @description Id of the segment. */
            segment: string;
            /** @description The lead fields that it shows, in this order. */
            fields: string[];
            /** @description Whether a password is asked for. */
            has_password: boolean;
            /** @description The user or key that made it. */
            actor_id: string;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds; null for never. */
            expires_at: number | null;
            /** @description The address of the page, shown only here. */
            url: string;
            /** @description The address of the list as CSV, for IMPORTDATA of a spreadsheet. */
            csv_url: string;
        };
        Webhook: {
            /** @description `wh_` and a UUID. */
            id: string;
            /** @description http or https, without user name or password. */
            url: string;
            /** @description Names of events. */
            events: ("lead.created" | "lead.updated" | "lead.deleted" | "lead.scored" | "note.created" | "note.updated" | "note.deleted" | "leads.created" | "leads.updated" | "leads.deleted" | "leads.scored" | "lead.merged" | "lead.unmerged" | "segment.entered" | "segment.left" | "lead.due" | "form.confirmation_requested" | "lead.needs_enrichment")[];
            /** @description When off, events are neither sent nor queued. */
            active: boolean;
            /** @description Present when it was turned off otherwise than by an update. */
            disabled_reason?: string;
            /** @description Whether deliveries are signed. */
            has_secret: boolean;
            /** @description Present when it ends with the API key that made it: Unix seconds. */
            expires_at?: number;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
        };
        Delivery: {
            /** @description Id of the delivery, as in X-Service-Delivery. */
            id: string;
            /**
             * @description Name of the event.
             * @enum {string}
             */
            event: "lead.created" | "lead.updated" | "lead.deleted" | "lead.scored" | "note.created" | "note.updated" | "note.deleted" | "leads.created" | "leads.updated" | "leads.deleted" | "leads.scored" | "lead.merged" | "lead.unmerged" | "segment.entered" | "segment.left" | "lead.due" | "form.confirmation_requested" | "lead.needs_enrichment" | "webhook.test";
            /**
             * @description `pending` waits for its next attempt or for its webhook to be turned on. After the last attempt: `failed` when the receiver refused it, `expired` when there was no answer.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed" | "expired";
            /** @description Attempts made so far. */
            attempts: number;
            /** @description HTTP status of the last answer. */
            code: number | null;
            /** @description Error of the last attempt. */
            error: string | null;
            /** @description Duration of the last attempt. */
            milliseconds: number | null;
            /** @description First 1 KiB of the last answer; empty for private targets. */
            answer: string | null;
            /** @description Says of an empty `answer` that it may be hidden. */
            note?: string;
            /** @description Unix seconds; null when there is none. */
            next_attempt_at: number | null;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
        };
        Form: {
            /** @description `form_` and a UUID; with it anybody can post, and nothing else. */
            id: string;
            /** @description For the account's own people. */
            name: string;
            /** @description Its public address: a page with the form, and where posts go. */
            url: string;
            /** @description When off, the address answers 404. */
            active: boolean;
            /** @description Names, or objects `{name, label, required, type}`. A name is that of a lead field that people say of themselves, or `attr:NAME`; `type` is that of the attribute: `text` (default), `number`, `bool`; an attribute with a definition is asked for as that says. */
            fields: {
                /** @description Name of the person or company. */
                name: string;
                /** @description What people read beside it. */
                label: string;
                /** @description Whether it must be filled in. */
                required: boolean;
                /**
                 * @description Type of the attribute; null for a lead field.
                 * @enum {string|null}
                 */
                type: "text" | "number" | "bool" | null;
            }[];
            /** @description The `source` of its leads; the form's name by default. */
            source: string;
            /** @description Tags of its leads. */
            tags: string[];
            /** @description Shown after a post. */
            thanks: string;
            /** @description An http or https address that the browser goes to after a post instead. */
            redirect: string | null;
            /** @description Origins whose pages may post to it from a script, such as `https://www.example.com`; `*` is any. */
            origins: string[];
            /** @description Name of the field that people do not see: a post that fills it is spam. */
            honeypot: string;
            /** @description A post of the hosted page that comes faster is spam. */
            min_seconds: number;
            /** @description Posts a minute from one address. */
            limit_per_address: number;
            /** @description Posts a minute from all addresses; null is 20 times as many as from one. */
            limit_per_form: number | null;
            /** @description What people agree to by ticking a box: `consent` of the lead, with `consent_at`. */
            consent_text: string | null;
            /** @description Keeps a post apart until a signed link is opened, which the event `form.confirmation_requested` carries. */
            double_opt_in: boolean;
            /**
             * @description Of its page, answers and snippet; `auto`, the default, is what the browser asks for.
             * @enum {string}
             */
            language: "auto" | "en" | "de";
            /** @description A check by Turnstile or hCaptcha: `{provider, site_key, secret, verify_url}`. */
            captcha: {
                /**
                 * @description Who checks.
                 * @enum {string}
                 */
                provider: "turnstile" | "hcaptcha";
                /** @description The provider's public key of the page. */
                site_key: string;
                /** @description Where answers are checked; the provider's own address by default. */
                verify_url: string;
                /** @description Whether there is a secret. */
                has_secret: boolean;
            } | null;
            /** @description HTML with the form to paste into a page of one of its origins. */
            snippet: string;
            /** @description Posts that are kept apart for 7 days: at most 500 as spam, and 500 that the plan had no room for. */
            spam: number;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
        };
        FormSpam: {
            id: string;
            /**
             * @description `honeypot`: the hidden field was filled in. `time_trap`: the page was not opened first, or sent too fast. `captcha`: wrong answer. `captcha_unavailable`: the answer could not be checked. `leads_limit_reached`: no spam, but the plan has no room.
             * @enum {string}
             */
            reason: "honeypot" | "time_trap" | "captcha" | "captcha_unavailable" | "leads_limit_reached";
            /** @description The lead that it becomes when it is let in. */
            lead: {
                [key: string]: unknown;
            };
            /** @description Unix seconds. */
            created_at: number;
            /** @description When it is forgotten, in Unix seconds. */
            ends_at: number;
        };
        ApiKey: {
            /** @description `key_` and a UUID. */
            id: string;
            /** @description For people. */
            name: string;
            /** @description How the key begins, to recognise it. */
            prefix: string;
            /**
             * @description Role of the key.
             * @enum {string}
             */
            role: "viewer" | "editor" | "owner";
            /**
             * @description `sign_in` for a key that a client got through the browser: valid for the tool server only.
             * @enum {string}
             */
            kind: "key" | "sign_in";
            /** @description The key that made it or signed in for it; null for the command line. */
            issued_by: string | null;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds, written once a minute; null before the first use. */
            last_used_at: number | null;
            /** @description Unix seconds; null for never. */
            expires_at: number | null;
            /**
             * @description Style of lists in answers to the key; absent where it follows the service.
             * @enum {string}
             */
            list_style?: "array" | "object";
            /**
             * @description `plan`: tools show what they would do before they do harm; absent for a plain key.
             * @enum {string}
             */
            guard?: "plan";
            /** @description The segment that the key is bound to; absent where it sees all leads. */
            segment?: string;
        };
        Account: {
            id: string;
            /** @description Name of the person or company. */
            name: string;
            /** @description Its name. */
            plan: string;
            /** @description Limits of the plan or of the account; null for no limit. */
            limits: {
                leads: number | null;
                /** @description Per 10 minutes. */
                requests: number | null;
                /** @description Leads in one batch. */
                batch: number;
                /** @description Bytes of leads, notes and trail. */
                storage: number | null;
            };
            /** @description Default country for phone numbers: an ISO 3166 code of two letters. */
            default_country: string | null;
            /** @description IANA name of the zone of its days. */
            time_zone: string;
            /** @description Unix seconds. */
            created_at: number;
        };
        RetentionRule: {
            id: string;
            /** @description Name of the person or company. */
            name: string;
            /** @description Filters, as in lists: the leads that it is about. */
            filter: string[];
            /** @description Months for which a lead must not have been touched; null with days. */
            months: number | null;
            /** @description Days for which a lead must not have been touched; null with months. */
            days: number | null;
            /** @description Days for which leads are shown before they are erased. */
            notice_days: number;
            /** @description When it erases the first leads at the earliest: the notice after it was made or changed, in time that the service ran. */
            erases_from: number;
            /** @description Leads that were not touched for this time; each is erased once its notice is over. */
            matched: number;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            updated_at: number;
        };
        PersonExport: {
            /** @description Unix seconds. */
            exported_at: number;
            /** @description The lead with the origin of each value; null once it was deleted. */
            lead: components["schemas"]["ReadLead"] | null;
            /** @description Its notes, oldest first. */
            notes: components["schemas"]["Note"][];
            /** @description Calls, emails and meetings with it, newest first. */
            activities: components["schemas"]["Activity"][];
            /** @description Its trail, with that of leads merged into it, newest first. */
            changes: components["schemas"]["FeedChange"][];
            /** @description Events about it that were sent to webhooks, or will be: those of the last 30 days. */
            deliveries: {
                /** @description Name of the event. */
                event: string;
                /** @description Unix seconds. */
                timestamp: number;
                /** @description What the event tells of this lead. */
                data: Record<string, never>;
            }[];
            /** @description Pairs with other leads, and what was decided about them. */
            duplicates: {
                id: string;
                /** @enum {string} */
                state: "open" | "dismissed" | "merged";
                /** @description That both are the same, 0 to 1. */
                probability: number;
                /** @description Id of the other lead. */
                other: string;
                /** @description Unix seconds. */
                created_at: number;
            }[];
            /** @description False where a list is cut: at 2,000 changes, 1,000 events, 500 pairs or 16 MB. */
            complete: boolean;
        };
        Erasure: {
            id: string;
            /**
             * @description `request`, or `retention` by a rule.
             * @enum {string}
             */
            reason: "request" | "retention";
            /** @description The rule of retention. */
            rule_id: string | null;
            /** @description What the rule was called. */
            rule_name: string | null;
            /** @description How many leads were erased. */
            count: number;
            /** @description The user; `retention` for the service itself. */
            actor_id: string | null;
            /** @description The key of the request. */
            key_id: string | null;
            /** @description Unix seconds. */
            created_at: number;
        };
        StatusLabel: {
            /**
             * @description The status as the API knows it.
             * @enum {string}
             */
            value: "new" | "contacted" | "qualified" | "disqualified" | "converted";
            /** @description Its name on screens. */
            label: string;
            /** @description A colour's name, or `#rrggbb`. */
            color: string;
            /** @description Its place in lists, from 0. */
            position: number;
        };
        AdminEntry: {
            id: string;
            /**
             * @description The action.
             * @enum {string}
             */
            action: "account.created" | "account.deleted" | "account.updated" | "plan.set" | "key.created" | "key.revoked" | "key.signed_in" | "session.opened" | "session.ended" | "member.invited" | "member.joined" | "member.updated" | "member.removed" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "form.created" | "form.updated" | "form.deleted" | "link.created" | "link.revoked" | "lead.erased" | "database.restored" | "database.moved" | "secrets.encrypted" | "secrets.rotated" | "secrets.decrypted" | "secrets.lost";
            /** @description The key that did it; null for the command line. */
            key_id: string | null;
            /** @description The member whom a dashboard's proxy named. */
            actor_id: string | null;
            /** @description Id of the object. */
            target_id: string | null;
            /** @description Details of the action; `actor_from` as in the feed of changes. */
            details: {
                [key: string]: (string | number | boolean) | null;
            };
            /** @description Unix seconds. */
            created_at: number;
        };
        Session: {
            /** @description `ses_` and a UUID; null for an API key. */
            id: string | null;
            /**
             * @description Current role.
             * @enum {string}
             */
            role: "viewer" | "editor" | "owner";
            /** @description The user; changes are recorded under this id. */
            actor: {
                /**
                 * @description What was signed in with; `code` is an administrator with a code of the command line.
                 * @enum {string}
                 */
                kind: "member" | "key" | "code";
                /** @description The member's or the key's. */
                id: string | null;
                /** @description The member's or the key's. */
                name: string;
            };
            /** @description The account. */
            account: {
                id: string;
                /** @description Name of the person or company. */
                name: string;
                /** @description Name of the plan. */
                plan: string;
                /** @description Limits of the plan; null for no limit. */
                limits: {
                    /** @description Leads that may be kept. */
                    leads: number | null;
                    /** @description Requests per 10 minutes. */
                    requests: number | null;
                    /** @description Leads per batch. */
                    batch: number;
                    /** @description Bytes of leads, notes and their trail that may be kept. */
                    storage: number | null;
                };
            };
            /** @description Unix seconds; null for never. */
            expires_at: number | null;
        };
        ListedSession: {
            /** @description `ses_` and a UUID. */
            id: string;
            /**
             * @description Current role.
             * @enum {string}
             */
            role: "viewer" | "editor" | "owner";
            /** @description The user. */
            actor: {
                /**
                 * @description How they signed in.
                 * @enum {string}
                 */
                kind: "member" | "key" | "code";
                /** @description The member's or the key's. */
                id: string | null;
                /** @description The member's or the key's. */
                name: string;
            };
            /** @description User agent of the browser. */
            agent: string;
            /** @description Whether it is the session of this request. */
            current: boolean;
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds. */
            last_used_at: number;
            /** @description Unix seconds; null for never. */
            expires_at: number;
        };
        Member: {
            /** @description `mem_` and a UUID. */
            id: string;
            /** @description Shown in the audit trail; unique in the account. */
            name: string;
            /**
             * @description Their role.
             * @enum {string}
             */
            role: "viewer" | "editor" | "owner";
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds; null while they have not accepted. */
            joined_at: number | null;
            /** @description Unix seconds, while an invitation is open. */
            invite_expires_at: number | null;
            /** @description How many they have. */
            passkeys: number;
            /** @description Whether they sign in with one. */
            has_password: boolean;
            /** @description Whether they have signed in with the provider of OpenID Connect. */
            has_provider: boolean;
        };
        InvitedMember: {
            /** @description `mem_` and a UUID. */
            id: string;
            /** @description Shown in the audit trail; unique in the account. */
            name: string;
            /**
             * @description Their role.
             * @enum {string}
             */
            role: "viewer" | "editor" | "owner";
            /** @description Unix seconds. */
            created_at: number;
            /** @description Unix seconds; null while they have not accepted. */
            joined_at: number | null;
            /** @description Unix seconds: 7 days from now. */
            invite_expires_at: number | null;
            /** @description How many they have. */
            passkeys: number;
            /** @description Whether they sign in with one. */
            has_password: boolean;
            /** @description Whether they have signed in with the provider of OpenID Connect. */
            has_provider: boolean;
            /** @description The secret of the link. Shown in this answer and never again. */
            invite: string;
            /** @description The link to send to them. */
            invite_url: string;
        };
        RevokedRights: {
            /** @description API keys. */
            api_keys: {
                id: string;
                /** @description Its name. */
                name: string;
            }[];
            /** @description Open invitations. */
            invitations: {
                id: string;
                /** @description Of the invited member. */
                name: string;
            }[];
            /** @description Public links. */
            links: {
                id: string;
            }[];
            /** @description Browser sessions. */
            sessions: {
                id: string;
            }[];
        };
        Stats: {
            total_leads: number;
            by_status: {
                new: number;
                contacted: number;
                qualified: number;
                disqualified: number;
                converted: number;
            };
            by_source: {
                [key: string]: number;
            };
            score: {
                average: number | null;
                min: number | null;
                max: number | null;
                /** @description Leads with 70 or more. */
                hot: number;
                /** @description Leads with 40 to 69. */
                warm: number;
                /** @description Leads below 40. */
                cold: number;
            };
            with_email: number;
            with_phone: number;
            created_last_7_days: number;
            created_last_30_days: number;
            plan: {
                /** @description Name of the plan. */
                name: string;
                /** @description null for no limit. */
                leads_limit: number | null;
                leads_used: number;
                /** @description Bytes of leads, notes and trail; null for no limit. */
                storage_limit: number | null;
                /** @description Bytes that are kept; null for a key bound to a segment, which is not told of other leads. */
                storage_used: number | null;
            };
        };
        LeadEvent: {
            /**
             * @description Name of the event.
             * @enum {string}
             */
            event: "lead.created" | "lead.updated" | "lead.deleted" | "lead.scored" | "lead.due" | "lead.needs_enrichment";
            /** @description Unix seconds. */
            timestamp: number;
            data: components["schemas"]["Lead"];
        };
        NoteEvent: {
            /**
             * @description Name of the event.
             * @enum {string}
             */
            event: "note.created" | "note.updated" | "note.deleted";
            /** @description Unix seconds. */
            timestamp: number;
            data: components["schemas"]["Note"];
        };
        LeadIdsEvent: {
            /**
             * @description Name of the event.
             * @enum {string}
             */
            event: "leads.created" | "leads.updated" | "leads.deleted";
            /** @description Unix seconds. */
            timestamp: number;
            data: {
                ids: string[];
                /** @description How many this event names. */
                count: number;
            };
        };
        SegmentEvent: {
            /**
             * @description Name of the event.
             * @enum {string}
             */
            event: "segment.entered" | "segment.left";
            /** @description Unix seconds. */
            timestamp: number;
            data: {
                /** @description The segment that they have entered or left. */
                segment: {
                    /** @description Id of the segment. */
                    id: string;
                    /** @description Its name. */
                    name: string;
                };
                /** @description Ids of the leads. */
                ids: string[];
                /** @description How many this event names. */
                count: number;
                /** @description The lead as it is now, where it is one that is there. */
                lead?: components["schemas"]["Lead"];
            };
        };
        LeadScoresEvent: {
            /**
             * @description Name of the event.
             * @enum {string}
             */
            event: "leads.scored";
            /** @description Unix seconds. */
            timestamp: number;
            data: {
                leads: {
                    id: string;
                    score: number;
                }[];
                /** @description How many this event names. */
                count: number;
            };
        };
        LeadMergedEvent: {
            /**
             * @description Name of the event.
             * @enum {string}
             */
            event: "lead.merged";
            /** @description Unix seconds. */
            timestamp: number;
            data: {
                /** @description For `POST /merges/{id}/undo`. */
                merge_id: string;
                survivor: components["schemas"]["Lead"];
                /** @description Ids of the other leads. */
                losers: string[];
                /** @description Fields of the survivor. */
                changed: string[];
            };
        };
        LeadUnmergedEvent: {
            /**
             * @description Name of the event.
             * @enum {string}
             */
            event: "lead.unmerged";
            /** @description Unix seconds. */
            timestamp: number;
            data: {
                /** @description For `POST /merges/{id}/undo`. */
                merge_id: string;
                survivor: components["schemas"]["Lead"];
                /** @description Ids of the other leads. */
                losers: string[];
                /** @description Fields that were not restored, and why. */
                kept: {
                    /** @description Whose field it is. */
                    lead_id: string;
                    /** @description Its name. */
                    field: string;
                    /** @description Why. */
                    message: string;
                }[];
            };
        };
        FormConfirmationEvent: {
            /**
             * @description Name of the event.
             * @enum {string}
             */
            event: "form.confirmation_requested";
            /** @description Unix seconds. */
            timestamp: number;
            data: {
                /** @description The form that was posted to. */
                form: {
                    /** @description Id of the form. */
                    id: string;
                    /** @description Its name. */
                    name: string;
                };
                /** @description The address to send the link to. */
                email: string;
                /** @description The name that was given, else the address. */
                name: string;
                /** @description The link: the post becomes a lead when it is opened. */
                confirm_url: string;
                /** @description Unix seconds until which it can be opened. */
                expires_at: number;
            };
        };
        TestEvent: {
            /**
             * @description Name of the event.
             * @enum {string}
             */
            event: "webhook.test";
            /** @description Unix seconds. */
            timestamp: number;
            data: {
                /** @description For people. */
                message: string;
                /** @description Whose test it is. */
                webhook_id: string;
            };
        };
        Error: {
            /** @description The status in words. */
            error: string;
            /** @description What was wrong, where, and what would be right. */
            message: string;
            /**
             * @description For programs.
             * @enum {string}
             */
            code: "bad_request" | "too_many_groups" | "file_too_costly" | "unauthorized" | "forbidden" | "leads_limit_reached" | "storage_limit_reached" | "not_found" | "conflict" | "suppressed" | "cursor_expired" | "precondition_failed" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "unavailable" | "outcome_unknown" | "storage_full" | "method_not_allowed";
            /** @description There when the lead was merged: the id of the one that stayed. */
            merged_into?: string;
            /** @description There when several fields are wrong. */
            details?: {
                /** @description Path of the field, such as `leads[3].rating`. */
                field: string;
                /** @description What is wrong with it. */
                message: string;
            }[];
        };
    };
    responses: {
        /** @description A parameter or the body is wrong: the message names the field and what would be right. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key is missing, unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The role does not allow it, the plan's leads or its storage are used up, or `X-Proxy-Secret` or `Origin` is wrong. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Missing, or another account's. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It conflicts with existing data, or with `suppressed` the email or phone is on the do-not-contact list: the message says with what. Also while a request with the same `Idempotency-Key` is running. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The cursor is no longer valid: the message says how to start again. */
        Gone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The lead is not the one that `If-Match` names: read it again. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MiB, 8 MiB for batches or 2 GiB for files. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The Host header names a host that is not served here; `LEADDB_ALLOWED_HOSTS` adds names. */
        MisdirectedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Idempotency-Key` was used for another request in the last 24 hours. */
        UnprocessableEntity: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The account has used up its requests; `Retry-After` says when to come back. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A defect on our side; nothing was applied. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Overloaded, stopping, or the database cannot be written now: try again in a moment. With `outcome_unknown` the connection to the database was lost while it saved, and the change is kept or not: repeat the request with the same `Idempotency-Key` to find out. */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The disk is full: nothing was saved. Reading still works. */
        InsufficientStorage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description From a dashboard proxy: the member's role. The lower of this and the key's role counts; anything else is owner. */
        MemberRole: "owner" | "editor" | "viewer";
        /** @description From a dashboard proxy: the member who acts, written to the audit trail as `actor_id`. Counts with the proxy's secret or an owner's key. */
        ActorId: string;
        /** @description On requests that write: any text that names this one request, such as a UUID. Sent again with the same key within 24 hours, the request is not done again: the first answer is given again. */
        IdempotencyKey: string;
        /** @description `object` answers `{notes: [...]}`, `attributes`, `rules` and `webhooks`, and gives times of webhooks as ISO texts; `array` is the default. It comes before the style of the key. */
        ListStyle: "array" | "object";
        /** @description Names the request in the service's log and in its answer; one is made up when it is left out. */
        RequestId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_leads: {
        parameters: {
            query?: {
                /** @description `logic.operator.field.value`, at most 50 times: all `and` filters must hold, and one of the `or` filters. */
                filter?: string[];
                /** @description Words that must all be somewhere in the lead or its notes, the last perhaps only begun; `"next to each other"`, `-without`. Case, accents and the way a phone number is written do not count. */
                q?: string;
                /** @description Id of a segment: only its leads, in its order unless another is asked for. */
                segment?: string;
                /** @description `true` leaves out leads on the do-not-contact list, `false` shows only those. */
                contactable?: boolean;
                /** @description A lead field, `score`, `id` or `attr:<name>`; the default is `created_at`, with `q` `relevance`. */
                sort_by?: string;
                /** @description Sort direction; empty values come last in both. */
                sort_order?: "ASC" | "DESC";
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and sort. */
                cursor?: string;
                /** @description Only these: names with commas between them, `attr:<name>` too. In lists with the id, and leads lack the others. */
                fields?: string[];
                /** @description Adds the number of all leads that match as `total`. */
                total?: boolean;
                /** @description Adds `highlight` to each lead: the field with the words of `q`, and some of its text. */
                highlight?: boolean;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_lead: {
        parameters: {
            query?: {
                /** @description If the lead already exists: `overwrite` its fields (default), `fill` only empty fields, or `skip` it. */
                on_duplicate?: "overwrite" | "fill" | "skip";
                /** @description If the email or phone is on the do-not-contact list: `skip` the lead, or save it and `mark` it; refused by default, and always for a person who was erased. */
                on_suppressed?: "skip" | "mark";
                /** @description Changes nothing; returns what would happen. */
                dry_run?: boolean;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadInput"];
            };
        };
        responses: {
            /** @description A duplicate: merged into the lead it repeats, which this is; a dry run; or a skipped lead on the do-not-contact list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushedLead"];
                };
            };
            /** @description A new lead. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushedLead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    aggregate_leads: {
        parameters: {
            query: {
                /** @description One to three fields with commas between them: any field, `tags`, `attr:<name>`. */
                group_by: string[];
                /** @description Default `count`; `sum: avg: min: max: median:` of a number, `share:status=converted`, `distinct:city`. */
                metrics?: string[];
                /** @description Period for grouping by a time, shown by its first day; default `day`. */
                by?: "day" | "week" | "month" | "year";
                /** @description Time zone of the periods, such as `Europe/Berlin`; default the account's. */
                tz?: string;
                /** @description Width of bands for grouping by a number, shown by their lower end; without it each number is a group. */
                step?: number;
                /** @description `logic.operator.field.value`, at most 50 times: all `and` filters must hold, and one of the `or` filters. */
                filter?: string[];
                /** @description Words that must all be somewhere in the lead or its notes, the last perhaps only begun; `"next to each other"`, `-without`. Case, accents and the way a phone number is written do not count. */
                q?: string;
                /** @description Id of a segment: only its leads, in its order unless another is asked for. */
                segment?: string;
                /** @description `true` leaves out leads on the do-not-contact list, `false` shows only those. */
                contactable?: boolean;
                /** @description A field or metric of this request; by default the commonest first. */
                sort?: string;
                /** @description Sort direction; empty values come last in both. */
                sort_order?: "ASC" | "DESC";
                /** @description Maximum number of items. */
                limit?: number;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A property for each field and each metric, named as they were asked for. */
                        groups: {
                            [key: string]: (string | number | boolean) | null;
                        }[];
                        /** @description The metrics of all groups beyond `limit`; null when all groups are shown. */
                        other: {
                            [key: string]: (string | number | boolean) | null;
                        } | null;
                        /** @description How many leads matched. */
                        total: number;
                        /** @description Names in the request that do not exist, such as an attribute that no lead has. */
                        warnings?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    export_leads: {
        parameters: {
            query: {
                /** @description `logic.operator.field.value`, at most 50 times: all `and` filters must hold, and one of the `or` filters. */
                filter?: string[];
                /** @description Words that must all be somewhere in the lead or its notes, the last perhaps only begun; `"next to each other"`, `-without`. Case, accents and the way a phone number is written do not count. */
                q?: string;
                /** @description Id of a segment: only its leads, in its order unless another is asked for. */
                segment?: string;
                /** @description `true` leaves out leads on the do-not-contact list, `false` shows only those. */
                contactable?: boolean;
                /** @description A lead field, `score`, `id` or `attr:<name>`; the default is `created_at`, with `q` `relevance`. */
                sort_by?: string;
                /** @description Sort direction; empty values come last in both. */
                sort_order?: "ASC" | "DESC";
                /** @description Format of the file. */
                format: "csv" | "json" | "xlsx" | "vcf";
                /** @description Only these: names with commas between them, `attr:<name>` too. In lists with the id, and leads lack the others. */
                fields?: string[];
                /** @description Columns in the format of another program. */
                preset?: "hubspot" | "salesforce" | "google_contacts" | "mailchimp";
                /** @description Times in tables: `unix` seconds (default of a CSV), `iso` as `2026-11-22T09:05:00Z`, `excel` as spreadsheets read them, in the account's time zone (default of a workbook). */
                dates?: "unix" | "iso" | "excel";
                /** @description Adds a BOM for Excel to a CSV. */
                bom?: boolean;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": components["schemas"]["Lead"][];
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/vcard": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    download_export: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the export. */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": components["schemas"]["Lead"][];
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/vcard": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    import_leads: {
        parameters: {
            query?: {
                /** @description Format of the file. */
                format?: "csv" | "json" | "ndjson" | "xlsx" | "vcf";
                /** @description `COLUMN:FIELD`, `COLUMN:attr:NAME:TYPE`, or `COLUMN:-` to skip the column. */
                map?: string[];
                /** @description `WORD=STATUS` maps a word of the file to a status, `COLUMN:WORD=VALUE` a value of a column (a tag, a number, a status) to another; an empty one leaves it out. */
                map_value?: string[];
                /** @description Unmatched columns: keep as attributes, ignore, or refuse. */
                unknown?: "attributes" | "ignore" | "refuse" | "reject";
                /** @description Default source. */
                source?: string;
                /** @description Sheet of a workbook, by name, or `all` for those that look like leads; defaults to the one that looks most like them. */
                sheet?: string;
                /** @description Whether the first row names the columns; detected by default. `false` calls them `Column 1` and so on. */
                header?: boolean;
                /** @description Encoding of a text file, such as `windows-1252`; detected by default. */
                encoding?: string;
                /** @description Decimal separator; detected by default. `dot` is the older name of `point`. */
                decimal?: "point" | "comma" | "dot";
                /** @description What comes first in dates such as 03/04/2024; detected by default. */
                date_order?: "dmy" | "mdy" | "ymd";
                /** @description If the lead already exists: `overwrite` its fields (default), `fill` only empty fields, `skip` it, or `ask`: a merge by a shared mailbox (`info@`) or by a phone that several have becomes a pair of the duplicates queue where the names differ, and leads of another source keep their name, source and source_id. */
                on_duplicate?: "overwrite" | "fill" | "skip" | "ask";
                /** @description Tags on existing leads: `add` (default) or replace. */
                tags?: "add" | "replace";
                /** @description Fields that a merge must not touch: `source,name`. */
                keep?: string[];
                /** @description If the email or phone is on the do-not-contact list: `skip` the lead, or save it and `mark` it; refused by default, and always for a person who was erased. */
                on_suppressed?: "skip" | "mark";
                /** @description Name of the import; defaults to the file's name. */
                name?: string;
                /** @description The name of a saved mapping to use. */
                mapping?: string;
                /** @description The name under which the mapping is kept. */
                save_mapping?: string;
                /** @description Changes nothing; returns what would happen. */
                dry_run?: boolean;
                /** @description With `dry_run`: also the values of statuses and tags, warnings by value, and the options of the mapping. */
                details?: boolean;
                /** @description Answers 202 at once and runs in the background. */
                background?: boolean;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/json": components["schemas"]["LeadInput"][];
                "application/x-ndjson": string;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                "text/vcard": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file; its name tells the format.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The report, even when rows were rejected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReport"] | {
                        /** @description Id of the import. */
                        id: string;
                        /** @description Id of the job. */
                        job: string;
                        /** @description Name of the import. */
                        name: string;
                        /** @description The program whose files look so; null for any other. */
                        preset: string | null;
                        /** @description Where each column goes. */
                        columns: components["schemas"]["ImportColumn"][];
                        /** @description Room that the plan has left; null without a limit. */
                        room: {
                            /** @description Name of the plan. */
                            plan: string;
                            /** @description Leads that it keeps. */
                            leads_limit: number;
                            /** @description Leads it has. */
                            leads_used: number;
                            /** @description Leads it can still take. */
                            leads_left: number;
                        } | null;
                    };
                };
            };
            /** @description The import runs in the background: `GET /imports/{id}` shows its progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReport"] | {
                        /** @description Id of the import. */
                        id: string;
                        /** @description Id of the job. */
                        job: string;
                        /** @description Name of the import. */
                        name: string;
                        /** @description The program whose files look so; null for any other. */
                        preset: string | null;
                        /** @description Where each column goes. */
                        columns: components["schemas"]["ImportColumn"][];
                        /** @description Room that the plan has left; null without a limit. */
                        room: {
                            /** @description Name of the plan. */
                            plan: string;
                            /** @description Leads that it keeps. */
                            leads_limit: number;
                            /** @description Leads it has. */
                            leads_used: number;
                            /** @description Leads it can still take. */
                            leads_left: number;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_imports: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description Id of the last import of the page before. */
                after?: string;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        imports: components["schemas"]["Import"][];
                        /** @description Number of items in this answer. */
                        count: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    get_import: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `imp_` and a UUID. */
                        id: string;
                        /** @description For people; defaults to the file's name. */
                        name: string;
                        /** @description As it was sent. */
                        file_name: string | null;
                        /**
                         * @description State of the import; `interrupted`: cut off, and nothing goes on with it.
                         * @enum {string}
                         */
                        state: "running" | "done" | "failed" | "undone" | "interrupted";
                        /** @description Who imported. */
                        actor_id: string;
                        /** @description With which API key. */
                        key_id: string;
                        /** @description The program whose files look so; null for any other. */
                        preset: string | null;
                        /** @description New leads. */
                        created: number;
                        /** @description Rows that were merged. */
                        merged: number;
                        /** @description Skipped rows. */
                        skipped: number;
                        /** @description Rows that were not imported. */
                        rejected: number;
                        /** @description How many warnings there are. */
                        warnings: number;
                        /** @description Progress. */
                        progress: {
                            /** @description Rows processed. */
                            done: number;
                            /** @description Rows in all; null while unknown. */
                            of: number | null;
                            /** @description Rows a second. */
                            rate: number | null;
                            /** @description Seconds until it is done. */
                            seconds_left: number | null;
                        };
                        /** @description Id of its job; null for an import without one. */
                        job: string | null;
                        /** @description Id of the job that undoes it; null without one. */
                        undo_job: string | null;
                        /** @description Reason of the failure. */
                        error: string | null;
                        /** @description The code of that error, as REST answers it; null where there is none. */
                        code: string | null;
                        /** @description Unix seconds. */
                        created_at: number;
                        /** @description Unix seconds. */
                        ended_at: number | null;
                        /** @description Unix seconds. */
                        undone_at: number | null;
                        /** @description The report; null until the first rows are imported. */
                        report: components["schemas"]["ImportReport"] | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    undo_import: {
        parameters: {
            query?: {
                /** @description Changes nothing; returns what would happen. */
                dry_run?: boolean;
                /** @description Also reverts leads that were changed since. */
                force?: boolean;
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Leads that the import created or merged. */
                        matched: number;
                        /** @description Leads that were reverted. */
                        reverted?: number;
                        /** @description Leads that were left unchanged, the first 1,000. */
                        skipped?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Why. */
                            message: string;
                        }[];
                        /** @description Id by which this change can itself be reverted. */
                        batch_id?: string;
                        /**
                         * @description True when nothing was changed; else absent.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description Of a dry run: leads that would be left unchanged. */
                        kept?: number;
                        /** @description Of a dry run: ten leads that would be reverted. */
                        sample?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * @description What would happen to it.
                             * @enum {string}
                             */
                            action: "restore" | "change" | "delete";
                            /** @description `[before, after]` by field, `attr:<name>` for attributes. */
                            changes?: {
                                [key: string]: unknown[];
                            };
                        }[];
                        batch?: components["schemas"]["ChangeBatch"];
                        /** @description Id of the job, for more than 250 leads. */
                        job?: string;
                    };
                };
            };
            /** @description Accepted: a job reverts the leads. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Leads that the import created or merged. */
                        matched: number;
                        /** @description Leads that were reverted. */
                        reverted?: number;
                        /** @description Leads that were left unchanged, the first 1,000. */
                        skipped?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Why. */
                            message: string;
                        }[];
                        /** @description Id by which this change can itself be reverted. */
                        batch_id?: string;
                        /**
                         * @description True when nothing was changed; else absent.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description Of a dry run: leads that would be left unchanged. */
                        kept?: number;
                        /** @description Of a dry run: ten leads that would be reverted. */
                        sample?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * @description What would happen to it.
                             * @enum {string}
                             */
                            action: "restore" | "change" | "delete";
                            /** @description `[before, after]` by field, `attr:<name>` for attributes. */
                            changes?: {
                                [key: string]: unknown[];
                            };
                        }[];
                        batch?: components["schemas"]["ChangeBatch"];
                        /** @description Id of the job, for more than 250 leads. */
                        job?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_import_mappings: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportMapping"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_import_mapping: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unique in the account. */
                    name: string;
                    /** @description `COLUMN:FIELD`, `COLUMN:attr:NAME:TYPE`, or `COLUMN:-` to skip the column. */
                    map?: string[];
                    /** @description `WORD=STATUS` maps a word of the file to a status, `COLUMN:WORD=VALUE` a value of a column (a tag, a number, a status) to another; an empty one leaves it out. */
                    map_value?: string[];
                    /**
                     * @description Unmatched columns: kept as attributes, left out, or the import is refused.
                     * @enum {string}
                     */
                    unknown?: "attributes" | "ignore" | "refuse" | "reject";
                    /** @description Default source. */
                    source?: string;
                    /** @description Sheet of a workbook, by name. */
                    sheet?: string;
                    /** @description Whether the first row names the columns. */
                    header?: boolean;
                    /** @description Encoding of a text file, such as `windows-1252`. */
                    encoding?: string;
                    /**
                     * @description Decimal separator.
                     * @enum {string}
                     */
                    decimal?: "point" | "comma" | "dot";
                    /**
                     * @description What comes first in dates such as 03/04/2024.
                     * @enum {string}
                     */
                    date_order?: "dmy" | "mdy" | "ymd";
                    /**
                     * @description If the lead already exists: overwrite it, fill empty fields, or skip the row.
                     * @enum {string}
                     */
                    on_duplicate?: "overwrite" | "fill" | "skip" | "ask";
                    /**
                     * @description Tags on existing leads: add or replace.
                     * @enum {string}
                     */
                    tags?: "add" | "replace";
                    /** @description Fields that a merge must not touch. */
                    keep?: string[];
                    /**
                     * @description If the lead is on the do-not-contact list: skip the row, or save and mark the lead.
                     * @enum {string}
                     */
                    on_suppressed?: "skip" | "mark";
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportMapping"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_import_mapping: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the import mapping. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportMapping"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_import_mapping: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the import mapping. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description `COLUMN:FIELD`, `COLUMN:attr:NAME:TYPE`, or `COLUMN:-` to skip the column. */
                    map?: string[];
                    /** @description `WORD=STATUS` maps a word of the file to a status, `COLUMN:WORD=VALUE` a value of a column (a tag, a number, a status) to another; an empty one leaves it out. */
                    map_value?: string[];
                    /**
                     * @description Unmatched columns: kept as attributes, left out, or the import is refused.
                     * @enum {string}
                     */
                    unknown?: "attributes" | "ignore" | "refuse" | "reject";
                    /** @description Default source. */
                    source?: string;
                    /** @description Sheet of a workbook, by name. */
                    sheet?: string;
                    /** @description Whether the first row names the columns. */
                    header?: boolean;
                    /** @description Encoding of a text file, such as `windows-1252`. */
                    encoding?: string;
                    /**
                     * @description Decimal separator.
                     * @enum {string}
                     */
                    decimal?: "point" | "comma" | "dot";
                    /**
                     * @description What comes first in dates such as 03/04/2024.
                     * @enum {string}
                     */
                    date_order?: "dmy" | "mdy" | "ymd";
                    /**
                     * @description If the lead already exists: overwrite it, fill empty fields, or skip the row.
                     * @enum {string}
                     */
                    on_duplicate?: "overwrite" | "fill" | "skip" | "ask";
                    /**
                     * @description Tags on existing leads: add or replace.
                     * @enum {string}
                     */
                    tags?: "add" | "replace";
                    /** @description Fields that a merge must not touch. */
                    keep?: string[];
                    /**
                     * @description If the lead is on the do-not-contact list: skip the row, or save and mark the lead.
                     * @enum {string}
                     */
                    on_suppressed?: "skip" | "mark";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportMapping"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_import_mapping: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the import mapping. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_lead: {
        parameters: {
            query?: {
                /** @description Adds `origins`: where each value comes from. */
                include?: "origins"[];
            };
            header?: {
                /** @description From a dashboard proxy: the member's role. The lower of this and the key's role counts; anything else is owner. */
                "X-Member-Role"?: components["parameters"]["MemberRole"];
                /** @description From a dashboard proxy: the member who acts, written to the audit trail as `actor_id`. Counts with the proxy's secret or an owner's key. */
                "X-Actor-Id"?: components["parameters"]["ActorId"];
                /** @description On requests that write: any text that names this one request, such as a UUID. Sent again with the same key within 24 hours, the request is not done again: the first answer is given again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `object` answers `{notes: [...]}`, `attributes`, `rules` and `webhooks`, and gives times of webhooks as ISO texts; `array` is the default. It comes before the style of the key. */
                "X-List-Style"?: components["parameters"]["ListStyle"];
                /** @description Names the request in the service's log and in its answer; one is made up when it is left out. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of the lead as it is known: 304 without a body where it is still the same. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadLead"];
                };
            };
            /** @description Still as `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_lead: {
        parameters: {
            query?: never;
            header?: {
                /** @description From a dashboard proxy: the member's role. The lower of this and the key's role counts; anything else is owner. */
                "X-Member-Role"?: components["parameters"]["MemberRole"];
                /** @description From a dashboard proxy: the member who acts, written to the audit trail as `actor_id`. Counts with the proxy's secret or an owner's key. */
                "X-Actor-Id"?: components["parameters"]["ActorId"];
                /** @description On requests that write: any text that names this one request, such as a UUID. Sent again with the same key within 24 hours, the request is not done again: the first answer is given again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `object` answers `{notes: [...]}`, `attributes`, `rules` and `webhooks`, and gives times of webhooks as ISO texts; `array` is the default. It comes before the style of the key. */
                "X-List-Style"?: components["parameters"]["ListStyle"];
                /** @description Names the request in the service's log and in its answer; one is made up when it is left out. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of the lead as it was read: 412 where it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LeadChanges"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_lead: {
        parameters: {
            query?: {
                /** @description Also from the trail, events and indexes, for good, and a lead that was deleted before, too: for owners. */
                erase?: boolean;
            };
            header?: {
                /** @description From a dashboard proxy: the member's role. The lower of this and the key's role counts; anything else is owner. */
                "X-Member-Role"?: components["parameters"]["MemberRole"];
                /** @description From a dashboard proxy: the member who acts, written to the audit trail as `actor_id`. Counts with the proxy's secret or an owner's key. */
                "X-Actor-Id"?: components["parameters"]["ActorId"];
                /** @description On requests that write: any text that names this one request, such as a UUID. Sent again with the same key within 24 hours, the request is not done again: the first answer is given again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `object` answers `{notes: [...]}`, `attributes`, `rules` and `webhooks`, and gives times of webhooks as ISO texts; `array` is the default. It comes before the style of the key. */
                "X-List-Style"?: components["parameters"]["ListStyle"];
                /** @description Names the request in the service's log and in its answer; one is made up when it is left out. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of the lead as it was read: 412 where it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patch_lead: {
        parameters: {
            query?: never;
            header?: {
                /** @description From a dashboard proxy: the member's role. The lower of this and the key's role counts; anything else is owner. */
                "X-Member-Role"?: components["parameters"]["MemberRole"];
                /** @description From a dashboard proxy: the member who acts, written to the audit trail as `actor_id`. Counts with the proxy's secret or an owner's key. */
                "X-Actor-Id"?: components["parameters"]["ActorId"];
                /** @description On requests that write: any text that names this one request, such as a UUID. Sent again with the same key within 24 hours, the request is not done again: the first answer is given again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `object` answers `{notes: [...]}`, `attributes`, `rules` and `webhooks`, and gives times of webhooks as ISO texts; `array` is the default. It comes before the style of the key. */
                "X-List-Style"?: components["parameters"]["ListStyle"];
                /** @description Names the request in the service's log and in its answer; one is made up when it is left out. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The ETag of the lead as it was read: 412 where it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LeadChanges"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    upsert_lead_by_email: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description The email of the lead. */
                email: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the person or company. */
                    name: string;
                    /** @description Where the lead came from, such as `google_maps`. */
                    source: string;
                    /** @description As in the path, or left out. */
                    email?: string;
                    /** @description Free text. Finds duplicates together with a similar name. */
                    phone?: string | null;
                    /** @description Free text. */
                    website?: string | null;
                    /** @description Where the person works. */
                    company?: string | null;
                    /** @description What the person does there. */
                    job_title?: string | null;
                    /** @description Free text. */
                    linkedin_url?: string | null;
                    address?: string | null;
                    city?: string | null;
                    state?: string | null;
                    country?: string | null;
                    postal_code?: string | null;
                    category?: string | null;
                    /** @description Long text. */
                    description?: string | null;
                    logo_url?: string | null;
                    /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
                    source_id?: string | null;
                    /** @description Id of a stage of the account. Setting it sets the status; another status leaves it. */
                    stage?: string | null;
                    /** @description Why the lead was lost. */
                    lost_reason?: string | null;
                    /** @description Id of the member who looks after the lead. */
                    owner?: string | null;
                    /** @description What is to be done next. */
                    next_step?: string | null;
                    /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
                    lawful_basis?: string | null;
                    /** @description What the person agreed to, in the words shown. */
                    consent?: string | null;
                    /** @description Degrees north. */
                    latitude?: number | null;
                    /** @description Degrees east. */
                    longitude?: number | null;
                    /** @description Any number. */
                    rating?: number | null;
                    /** @description A whole number of at least 0. */
                    review_count?: number | null;
                    /** @description Must fit the type. */
                    value?: number | null;
                    /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
                    next_step_at?: (number | string) | null;
                    /** @description When the person agreed: Unix seconds or an ISO date. */
                    consent_at?: (number | string) | null;
                    /** @description At most 100 tags of 200 characters, each once ignoring case. */
                    tags?: string[] | null;
                    /**
                     * @description Any status may follow any other.
                     * @enum {string|null}
                     */
                    status?: "new" | "contacted" | "qualified" | "disqualified" | "converted" | null;
                    /** @description All emails, the first one first: `email` is the same. */
                    emails?: {
                        /** @description The email, or the phone. */
                        value: string;
                        /** @description What it is for, such as `work` or `mobile`. */
                        label?: string | null;
                        /** @description What is known of it, such as `bounced`. */
                        status?: string | null;
                    }[] | null;
                    /** @description All phones, the first one first: `phone` is the same. */
                    phones?: {
                        /** @description The email, or the phone. */
                        value: string;
                        /** @description What it is for, such as `work` or `mobile`. */
                        label?: string | null;
                        /** @description What is known of it, such as `bounced`. */
                        status?: string | null;
                    }[] | null;
                    /** @description Custom fields, at most 200. */
                    attributes?: components["schemas"]["AttributeInput"][] | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly score?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly email_status?: string | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly company_id?: string | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly last_interaction_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly last_note_at?: number | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly note_count?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly last_contacted_at?: number | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly last_touched_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    upsert_lead_by_source_id: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description The source_id of the lead. */
                source_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the person or company. */
                    name: string;
                    /** @description Where the lead came from, such as `google_maps`. */
                    source: string;
                    /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
                    email?: string | null;
                    /** @description Free text. Finds duplicates together with a similar name. */
                    phone?: string | null;
                    /** @description Free text. */
                    website?: string | null;
                    /** @description Where the person works. */
                    company?: string | null;
                    /** @description What the person does there. */
                    job_title?: string | null;
                    /** @description Free text. */
                    linkedin_url?: string | null;
                    address?: string | null;
                    city?: string | null;
                    state?: string | null;
                    country?: string | null;
                    postal_code?: string | null;
                    category?: string | null;
                    /** @description Long text. */
                    description?: string | null;
                    logo_url?: string | null;
                    /** @description As in the path, or left out. */
                    source_id?: string;
                    /** @description Id of a stage of the account. Setting it sets the status; another status leaves it. */
                    stage?: string | null;
                    /** @description Why the lead was lost. */
                    lost_reason?: string | null;
                    /** @description Id of the member who looks after the lead. */
                    owner?: string | null;
                    /** @description What is to be done next. */
                    next_step?: string | null;
                    /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
                    lawful_basis?: string | null;
                    /** @description What the person agreed to, in the words shown. */
                    consent?: string | null;
                    /** @description Degrees north. */
                    latitude?: number | null;
                    /** @description Degrees east. */
                    longitude?: number | null;
                    /** @description Any number. */
                    rating?: number | null;
                    /** @description A whole number of at least 0. */
                    review_count?: number | null;
                    /** @description Must fit the type. */
                    value?: number | null;
                    /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
                    next_step_at?: (number | string) | null;
                    /** @description When the person agreed: Unix seconds or an ISO date. */
                    consent_at?: (number | string) | null;
                    /** @description At most 100 tags of 200 characters, each once ignoring case. */
                    tags?: string[] | null;
                    /**
                     * @description Any status may follow any other.
                     * @enum {string|null}
                     */
                    status?: "new" | "contacted" | "qualified" | "disqualified" | "converted" | null;
                    /** @description All emails, the first one first: `email` is the same. */
                    emails?: {
                        /** @description The email, or the phone. */
                        value: string;
                        /** @description What it is for, such as `work` or `mobile`. */
                        label?: string | null;
                        /** @description What is known of it, such as `bounced`. */
                        status?: string | null;
                    }[] | null;
                    /** @description All phones, the first one first: `phone` is the same. */
                    phones?: {
                        /** @description The email, or the phone. */
                        value: string;
                        /** @description What it is for, such as `work` or `mobile`. */
                        label?: string | null;
                        /** @description What is known of it, such as `bounced`. */
                        status?: string | null;
                    }[] | null;
                    /** @description Custom fields, at most 200. */
                    attributes?: components["schemas"]["AttributeInput"][] | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly score?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly email_status?: string | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly company_id?: string | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly last_interaction_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly last_note_at?: number | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly note_count?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly last_contacted_at?: number | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly last_touched_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    enrich_lead: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The service that the data comes from, such as `clearbit`. */
                    source: string;
                    /** @description When the data was known there: Unix seconds or an ISO date; now by default. */
                    at?: number | string;
                    /** @description Lead fields as in a new lead, attributes too. */
                    fields: {
                        /** @description Name of the person or company. */
                        name?: string;
                        /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
                        email?: string | null;
                        /** @description Free text. Finds duplicates together with a similar name. */
                        phone?: string | null;
                        /** @description Free text. */
                        website?: string | null;
                        /** @description Where the person works. */
                        company?: string | null;
                        /** @description What the person does there. */
                        job_title?: string | null;
                        /** @description Free text. */
                        linkedin_url?: string | null;
                        address?: string | null;
                        city?: string | null;
                        state?: string | null;
                        country?: string | null;
                        postal_code?: string | null;
                        category?: string | null;
                        /** @description Long text. */
                        description?: string | null;
                        logo_url?: string | null;
                        /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
                        source_id?: string | null;
                        /** @description What is to be done next. */
                        next_step?: string | null;
                        /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
                        lawful_basis?: string | null;
                        /** @description What the person agreed to, in the words shown. */
                        consent?: string | null;
                        /** @description Degrees north. */
                        latitude?: number | null;
                        /** @description Degrees east. */
                        longitude?: number | null;
                        /** @description Any number. */
                        rating?: number | null;
                        /** @description A whole number of at least 0. */
                        review_count?: number | null;
                        /** @description Must fit the type. */
                        value?: number | null;
                        /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
                        next_step_at?: (number | string) | null;
                        /** @description When the person agreed: Unix seconds or an ISO date. */
                        consent_at?: (number | string) | null;
                        /** @description At most 100 tags of 200 characters, each once ignoring case. */
                        tags?: string[] | null;
                        /** @description Custom fields, at most 200. */
                        attributes?: components["schemas"]["AttributeInput"][] | null;
                    };
                    /** @description How sure the source is, from 0 to 1. */
                    confidence?: number | null;
                    /** @description Also replaces values that are older than so many days, and older than `at`. */
                    older_than_days?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrichedLead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    set_email_status: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What is known of the email.
                     * @enum {string}
                     */
                    status: "ok" | "role" | "disposable" | "no_mx" | "bounced" | "unknown";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    match_leads: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Up to 1,000, each with any fields of a lead. */
                    leads: {
                        /** @description Name of the person or company. */
                        name?: string | null;
                        /** @description Where the lead came from, such as `google_maps`. */
                        source?: string | null;
                        /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
                        email?: string | null;
                        /** @description Free text. Finds duplicates together with a similar name. */
                        phone?: string | null;
                        /** @description Free text. */
                        website?: string | null;
                        /** @description Where the person works. */
                        company?: string | null;
                        /** @description What the person does there. */
                        job_title?: string | null;
                        /** @description Free text. */
                        linkedin_url?: string | null;
                        address?: string | null;
                        city?: string | null;
                        state?: string | null;
                        country?: string | null;
                        postal_code?: string | null;
                        category?: string | null;
                        /** @description Long text. */
                        description?: string | null;
                        logo_url?: string | null;
                        /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
                        source_id?: string | null;
                        /** @description Id of a stage of the account. Setting it sets the status; another status leaves it. */
                        stage?: string | null;
                        /** @description Why the lead was lost. */
                        lost_reason?: string | null;
                        /** @description Id of the member who looks after the lead. */
                        owner?: string | null;
                        /** @description What is to be done next. */
                        next_step?: string | null;
                        /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
                        lawful_basis?: string | null;
                        /** @description What the person agreed to, in the words shown. */
                        consent?: string | null;
                        /** @description Degrees north. */
                        latitude?: number | null;
                        /** @description Degrees east. */
                        longitude?: number | null;
                        /** @description Any number. */
                        rating?: number | null;
                        /** @description A whole number of at least 0. */
                        review_count?: number | null;
                        /** @description Must fit the type. */
                        value?: number | null;
                        /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
                        next_step_at?: (number | string) | null;
                        /** @description When the person agreed: Unix seconds or an ISO date. */
                        consent_at?: (number | string) | null;
                        /** @description At most 100 tags of 200 characters, each once ignoring case. */
                        tags?: string[] | null;
                        /**
                         * @description Any status may follow any other.
                         * @enum {string|null}
                         */
                        status?: "new" | "contacted" | "qualified" | "disqualified" | "converted" | null;
                        /** @description All emails, the first one first: `email` is the same. */
                        emails?: {
                            /** @description The email, or the phone. */
                            value: string;
                            /** @description What it is for, such as `work` or `mobile`. */
                            label?: string | null;
                            /** @description What is known of it, such as `bounced`. */
                            status?: string | null;
                        }[] | null;
                        /** @description All phones, the first one first: `phone` is the same. */
                        phones?: {
                            /** @description The email, or the phone. */
                            value: string;
                            /** @description What it is for, such as `work` or `mobile`. */
                            label?: string | null;
                            /** @description What is known of it, such as `bounced`. */
                            status?: string | null;
                        }[] | null;
                        /** @description Custom fields, at most 200. */
                        attributes?: components["schemas"]["AttributeInput"][] | null;
                        /** @description Set by the service; accepted and ignored. */
                        readonly id?: string;
                        /** @description Set by the service; accepted and ignored. */
                        readonly score?: number;
                        /** @description Set by the service; accepted and ignored. */
                        readonly email_status?: string | null;
                        /** @description Set by the service; accepted and ignored. */
                        readonly company_id?: string | null;
                        /** @description Set by the service; accepted and ignored. */
                        readonly created_at?: number;
                        /** @description Set by the service; accepted and ignored. */
                        readonly updated_at?: number;
                        /** @description Set by the service; accepted and ignored. */
                        readonly last_interaction_at?: number;
                        /** @description Set by the service; accepted and ignored. */
                        readonly last_note_at?: number | null;
                        /** @description Set by the service; accepted and ignored. */
                        readonly note_count?: number;
                        /** @description Set by the service; accepted and ignored. */
                        readonly last_contacted_at?: number | null;
                        /** @description Set by the service; accepted and ignored. */
                        readonly last_touched_at?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One for each lead, in their order. */
                        results: {
                            /** @description Index in the request, from 0. */
                            index: number;
                            /**
                             * @description `none`, `exact` or `likely`.
                             * @enum {string}
                             */
                            match: "none" | "exact" | "likely";
                            /** @description The stored lead; absent for `none`. */
                            lead_id?: string;
                            /** @description Name of the stored lead. */
                            name?: string;
                            /** @description Its status. */
                            status?: string;
                            /** @description Whether it is not on the do-not-contact list. */
                            contactable?: boolean;
                            /** @description Probability that both are the same, 0-1. */
                            probability?: number;
                            /** @description Why, the strongest first. */
                            reasons?: {
                                /** @description The lead's field, `distance` or `attributes`. */
                                field: string;
                                /** @description For people. */
                                text: string;
                                /** @description Weight in bits, where leads were compared. */
                                bits?: number;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    list_suppressions: {
        parameters: {
            query?: {
                /** @description Only entries of this kind. */
                kind?: "email" | "domain" | "phone" | "hash";
                /** @description Only entries that stop this email, domain or phone. */
                value?: string;
                /** @description Only entries that stop this lead. */
                lead_id?: string;
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and sort. */
                cursor?: string;
                /** @description `csv` exports all entries as a file. */
                format?: "csv";
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        suppressions: components["schemas"]["Suppression"][];
                        /** @description Pass it as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                        /** @description Whether there is more to read. */
                        has_more: boolean;
                        /** @description Number of items in this answer. */
                        count: number;
                        /** @description Entries of the whole list. */
                        total: number;
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_suppression: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description What the value is; told from the value by default.
                     * @enum {string}
                     */
                    kind?: "email" | "domain" | "phone" | "hash";
                    /** @description An email, a domain (with the domains below it), or a phone. */
                    value?: string;
                    /** @description Why, for people. */
                    reason?: string | null;
                    /** @description Several entries at once. */
                    suppressions?: {
                        /**
                         * @description What the value is; told from the value by default.
                         * @enum {string}
                         */
                        kind?: "email" | "domain" | "phone" | "hash";
                        /** @description An email, a domain (with the domains below it), or a phone. */
                        value: string;
                        /** @description Why, for people. */
                        reason?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Everything was on the list already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"] | {
                        /** @description The entries, in the order of the request. */
                        suppressions: components["schemas"]["Suppression"][];
                        /** @description How many are new. */
                        added: number;
                        /** @description How many were on the list already. */
                        existing: number;
                    };
                };
            };
            /** @description Added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"] | {
                        /** @description The entries, in the order of the request. */
                        suppressions: components["schemas"]["Suppression"][];
                        /** @description How many are new. */
                        added: number;
                        /** @description How many were on the list already. */
                        existing: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_suppression: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the suppression. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    delete_suppression: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the suppression. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    import_suppressions: {
        parameters: {
            query?: {
                /** @description The default reason of a row. */
                reason?: string;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file; its name tells the format.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description New entries. */
                        added: number;
                        /** @description Entries that were on the list already. */
                        existing: number;
                        /** @description Rows that were left out. */
                        rejected: number;
                        /** @description Why, for the first 100. */
                        errors: {
                            /** @description Line of the file, from 1. */
                            line: number;
                            /** @description Why. */
                            message: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_unsubscribe_link: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The address. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    list_changes: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        changes: components["schemas"]["Change"][];
                        /** @description Number of items in this answer. */
                        count: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    list_account_changes: {
        parameters: {
            query?: {
                /** @description Only records of this lead. */
                lead_id?: string;
                /** @description Only changes of this kind. */
                action?: "created" | "updated" | "merged" | "deleted";
                /** @description Only changes by this member or key. */
                actor_id?: string;
                /** @description Only changes made with this API key. */
                key_id?: string;
                /** @description Only changes of this field, or `attr:<name>`. */
                field?: string;
                /** @description Only changes with this batch id. */
                batch_id?: string;
                /** @description Only changes by this import. */
                import_id?: string;
                /** @description Only changes at or after this time, Unix seconds or an ISO date. */
                since?: number | string;
                /** @description Only changes at or before this time, Unix seconds or an ISO date. */
                until?: number | string;
                /** @description `desc` (default) is newest first; `asc` is the order of commits, for reading a feed. */
                order?: "asc" | "desc";
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and sort. */
                cursor?: string;
                /** @description Whole leads (`full`), differences (`diff`), or `batches`: what was done together, as one entry. */
                view?: "full" | "diff" | "batches";
                /** @description With `order=asc`: seconds to wait until there is a change. */
                wait?: number;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeFeed"] | components["schemas"]["ChangeBatches"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revert_changes: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Ids of changes. */
                    change_ids?: string[];
                    /** @description Changes with this batch id. */
                    batch_id?: string;
                    /** @description Changes by this import. */
                    import_id?: string;
                    /** @description Filters of `GET /changes`, with `since`; they may also be given at the top level of the body. */
                    filter?: {
                        /** @description Only changes of this lead. */
                        lead_id?: string;
                        /**
                         * @description Only changes of this kind.
                         * @enum {string}
                         */
                        action?: "created" | "updated" | "merged" | "deleted";
                        /** @description Only changes by this member or key. */
                        actor_id?: string;
                        /** @description Only changes made with this API key. */
                        key_id?: string;
                        /** @description Only changes of this field, or `attr:<name>`. */
                        field?: string;
                        /** @description Shared by all changes that were made together: by one request, import or job. */
                        batch_id?: string;
                        /** @description The import that made the change. */
                        import_id?: string;
                        /** @description Only changes at or after this time, Unix seconds or an ISO date. */
                        since?: number | string;
                        /** @description Only changes at or before this time, Unix seconds or an ISO date. */
                        until?: number | string;
                    };
                    /** @description Only changes of this lead. */
                    lead_id?: string;
                    /**
                     * @description Only changes of this kind.
                     * @enum {string}
                     */
                    action?: "created" | "updated" | "merged" | "deleted";
                    /** @description Only changes by this member or key. */
                    actor_id?: string;
                    /** @description Only changes made with this API key. */
                    key_id?: string;
                    /** @description Only changes of this field, or `attr:<name>`. */
                    field?: string;
                    /** @description Only changes at or after this time, Unix seconds or an ISO date. */
                    since?: number | string;
                    /** @description Only changes at or before this time, Unix seconds or an ISO date. */
                    until?: number | string;
                    /** @description Expected number of leads; with any other number nothing is changed. */
                    expect?: number;
                    /** @description Changes nothing; returns what would happen. */
                    dry_run?: boolean;
                    /** @description Also leads that were changed since. */
                    force?: boolean;
                    /** @description Turns pushes that were merged into a lead into leads of their own. */
                    split?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Leads with matching changes. */
                        matched: number;
                        /** @description Leads that were reverted. */
                        reverted?: number;
                        /** @description Leads that were left unchanged, and why. */
                        skipped?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Why. */
                            message: string;
                        }[];
                        /** @description Changes with this batch id. */
                        batch_id?: string;
                        /**
                         * @description Changes nothing; returns what would happen.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description Of a dry run: leads that would be left unchanged. */
                        kept?: number;
                        /** @description Of a dry run: ten leads that would be reverted. */
                        sample?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * @description What would happen to it.
                             * @enum {string}
                             */
                            action: "restore" | "change" | "delete";
                            /** @description `[before, after]` by field, `attr:<name>` for attributes. */
                            changes?: {
                                [key: string]: unknown[];
                            };
                        }[];
                        /** @description Of a dry run for a `batch_id`: what that batch did. */
                        batch?: components["schemas"]["ChangeBatch"];
                        /** @description The job that does it, for `GET /jobs/{id}`. */
                        job?: string;
                    };
                };
            };
            /** @description Accepted: a job reverts the leads. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Leads with matching changes. */
                        matched: number;
                        /** @description Leads that were reverted. */
                        reverted?: number;
                        /** @description Leads that were left unchanged, and why. */
                        skipped?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Why. */
                            message: string;
                        }[];
                        /** @description Changes with this batch id. */
                        batch_id?: string;
                        /**
                         * @description Changes nothing; returns what would happen.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description Of a dry run: leads that would be left unchanged. */
                        kept?: number;
                        /** @description Of a dry run: ten leads that would be reverted. */
                        sample?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Its name. */
                            name: string;
                            /**
                             * @description What would happen to it.
                             * @enum {string}
                             */
                            action: "restore" | "change" | "delete";
                            /** @description `[before, after]` by field, `attr:<name>` for attributes. */
                            changes?: {
                                [key: string]: unknown[];
                            };
                        }[];
                        /** @description Of a dry run for a `batch_id`: what that batch did. */
                        batch?: components["schemas"]["ChangeBatch"];
                        /** @description The job that does it, for `GET /jobs/{id}`. */
                        job?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_jobs: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Jobs that wait or run. */
                        jobs: components["schemas"]["Job"][];
                        /** @description Leads that have yet to be compared with the others. */
                        comparing: number;
                        /** @description Leads that have yet to be indexed; searches find them all the same. */
                        indexing: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    get_job: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    stop_job: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_duplicate_status: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Leads that have yet to be compared; 0 when all have been. */
                        waiting: number;
                        /** @description Open pairs with a probability of 0.5 and more. */
                        open: number;
                        /** @description Number of open pairs by probability. */
                        by_probability: {
                            /** @description Lower bound. */
                            from: number;
                            /** @description How many. */
                            pairs: number;
                        }[];
                        /** @description While all leads are compared again. */
                        rescan?: {
                            /** @description Leads that are done. */
                            done: number;
                            /** @description All of them. */
                            of: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    get_duplicate_model: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicateModel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_duplicate_model: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Whether weights learn from decisions. */
                    learning?: boolean;
                    /** @description At least 0.99, and only after 50 decisions with 99 % precision; null for off. */
                    auto_merge_above?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicateModel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_duplicates: {
        parameters: {
            query?: {
                /** @description Minimum probability, 0-1 (default 0.5). */
                min_probability?: number;
                /** @description State of the pairs; default `open`. */
                state?: "open" | "dismissed" | "merged";
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and sort. */
                cursor?: string;
                /** @description Only records of this lead. */
                lead_id?: string;
                /** @description `logic.operator.field.value`, at most 50 times: all `and` filters must hold, and one of the `or` filters. */
                filter?: string[];
                /** @description Changes: whole leads (`full`) or differences (`diff`). Duplicates: pairs or groups. */
                view?: "pairs" | "groups";
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicatePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    list_lead_duplicates: {
        parameters: {
            query?: {
                /** @description Minimum probability, 0-1 (default 0.5). */
                min_probability?: number;
                /** @description State of the pairs; default `open`. */
                state?: "open" | "dismissed" | "merged";
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and sort. */
                cursor?: string;
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicatePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    get_duplicate: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the duplicate. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duplicate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_duplicate: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the duplicate. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `dismissed` or `open`.
                     * @enum {string}
                     */
                    state: "open" | "dismissed";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duplicate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    dismiss_duplicate: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the duplicate. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duplicate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    reopen_duplicate: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the duplicate. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duplicate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    rescan_duplicates: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job does it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The job, for `GET /jobs/{id}`. */
                        job: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    merge_leads: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The lead that stays; in the answer as it now is. */
                    survivor: string;
                    /** @description Leads merged into it and removed, at most 50. */
                    losers: string[];
                    /** @description By field: the id of the lead whose value it gets, or a value. */
                    fields?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Whose values win: the newest, oldest or most complete lead's, or by source; by default the survivor's.
                     * @enum {string}
                     */
                    rule?: "newest" | "oldest" | "most_complete" | "source_priority";
                    /** @description With `rule=source_priority`: sources, the first before the others. */
                    sources?: string[];
                    /** @description Changes nothing; returns what would happen. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description For `POST /merges/{id}/undo`; null in a dry run. */
                        merge_id: string | null;
                        /** @description The lead that stays; in the answer as it now is. */
                        survivor: components["schemas"]["Lead"];
                        /** @description Leads merged into it and removed, at most 50. */
                        losers: string[];
                        /** @description Fields of the survivor that changed; an attribute is `attr:<name>`. */
                        changed: string[];
                        /** @description Emails and source_ids by which pushes find the survivor from now on. */
                        aliases: {
                            /** @description `email` or `source_id`. */
                            field: string;
                            /** @description An email in lower case. */
                            value: string;
                        }[];
                        /** @description Notes moved to the survivor, as activities are. */
                        notes: number;
                        /**
                         * @description Changes nothing; returns what would happen.
                         * @constant
                         */
                        dry_run?: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    merge_duplicates: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Minimum probability of pairs and groups to merge. */
                    min_probability: number;
                    /** @description One of both leads of each pair must match, as in `GET /leads`. */
                    filter?: string[];
                    /**
                     * @description Whose values win; by default the oldest lead's.
                     * @enum {string}
                     */
                    rule?: "newest" | "oldest" | "most_complete" | "source_priority";
                    /** @description With `rule=source_priority`: sources, the first before the others. */
                    sources?: string[];
                    /** @description Expected number of pairs; with any other number nothing is merged. */
                    expect?: number;
                    /** @description Changes nothing; returns the counts. */
                    dry_run?: boolean;
                    /**
                     * @description Of a dry run: groups before those of `sample`.
                     * @default 0
                     */
                    offset?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Pairs. */
                        matched: number;
                        /** @description Leads kept. */
                        groups: number;
                        /** @description Leads removed. */
                        leads: number;
                        /** @description Of a dry run: ten groups, the least probable first; `offset` leads to the next. */
                        sample?: {
                            /** @description The mean over all pairs of its leads. */
                            probability: number;
                            /** @description The lead that stays. */
                            survivor: {
                                id: string;
                                /** @description Name of the person or company. */
                                name: string;
                            };
                            /** @description Leads merged into it and removed. */
                            losers: {
                                id: string;
                                /** @description Name of the person or company. */
                                name: string;
                            }[];
                            /** @description Values of the losers that the survivor would not have; emails, phones, tags and notes are all kept. */
                            lost: {
                                /** @description Its name; an attribute is `attr:<name>`. */
                                field: string;
                                /** @description Must fit the type. */
                                value: string | number;
                            }[];
                        }[];
                        /**
                         * @description Changes nothing; returns the counts.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description The job, for `GET /jobs/{id}`. */
                        job?: string;
                        /** @description Shared by all changes that were made together: by one request, import or job. */
                        batch_id?: string;
                    };
                };
            };
            /** @description Accepted: a job does it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Pairs. */
                        matched: number;
                        /** @description Leads kept. */
                        groups: number;
                        /** @description Leads removed. */
                        leads: number;
                        /** @description Of a dry run: ten groups, the least probable first; `offset` leads to the next. */
                        sample?: {
                            /** @description The mean over all pairs of its leads. */
                            probability: number;
                            /** @description The lead that stays. */
                            survivor: {
                                id: string;
                                /** @description Name of the person or company. */
                                name: string;
                            };
                            /** @description Leads merged into it and removed. */
                            losers: {
                                id: string;
                                /** @description Name of the person or company. */
                                name: string;
                            }[];
                            /** @description Values of the losers that the survivor would not have; emails, phones, tags and notes are all kept. */
                            lost: {
                                /** @description Its name; an attribute is `attr:<name>`. */
                                field: string;
                                /** @description Must fit the type. */
                                value: string | number;
                            }[];
                        }[];
                        /**
                         * @description Changes nothing; returns the counts.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description The job, for `GET /jobs/{id}`. */
                        job?: string;
                        /** @description Shared by all changes that were made together: by one request, import or job. */
                        batch_id?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    undo_merge: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the merge. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The merge. */
                        merge_id: string;
                        /** @description The lead after the undo. */
                        survivor: components["schemas"]["Lead"];
                        /** @description The restored leads. */
                        losers: components["schemas"]["Lead"][];
                        /** @description Fields that could not be restored, and why. */
                        kept: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Its name; an attribute is `attr:<name>`. */
                            field: string;
                            /** @description Why. */
                            message: string;
                        }[];
                        /**
                         * @description What became of the pairs: `open` again as before the merge, or `dismissed`: marked as not duplicates.
                         * @enum {string}
                         */
                        pairs: "open" | "dismissed";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    batch_update_leads: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Up to the plan's batch size: 100, 500 or 1,000. */
                    ids: string[];
                    /** @description The same changes for all of them. */
                    data: components["schemas"]["LeadChanges"];
                };
            };
        };
        responses: {
            /** @description All were changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResult"];
                };
            };
            /** @description Some or all items failed: see each. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    batch_create_leads: {
        parameters: {
            query?: {
                /** @description If the lead already exists: `overwrite` its fields (default), `fill` only empty fields, or `skip` it. */
                on_duplicate?: "overwrite" | "fill" | "skip";
                /** @description If the email or phone is on the do-not-contact list: `skip` the lead, or save it and `mark` it; refused by default, and always for a person who was erased. */
                on_suppressed?: "skip" | "mark";
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Up to the plan's batch size: 100, 500 or 1,000. */
                    leads: components["schemas"]["LeadInput"][];
                };
            };
        };
        responses: {
            /** @description All were saved. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchCreateResult"];
                };
            };
            /** @description Some or all items failed: see each. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchCreateResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    batch_delete_leads: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Up to the plan's batch size: 100, 500 or 1,000. */
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description All were deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResult"];
                };
            };
            /** @description Some or all items failed: see each. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    bulk_leads: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The leads that these filters match, as in lists. */
                    filter?: string[];
                    /** @description The leads that this search finds, as in lists. */
                    q?: string;
                    /** @description The leads of this segment. */
                    segment?: string;
                    /** @description These leads, at most 100,000. */
                    ids?: string[];
                    /**
                     * @description Every lead of the account.
                     * @constant
                     */
                    all?: true;
                    /**
                     * @description What to do to each of them.
                     * @enum {string}
                     */
                    action: "update" | "delete" | "add_tags" | "remove_tags" | "add_note" | "score";
                    /** @description Fields to change for `update`, where a list of members as `owner` is assigned in turn, `attributes` go by name, and `add_tags` and `remove_tags` change single tags; `{tags}` for `add_tags` and `remove_tags`; `{content}` for `add_note`; nothing else. */
                    data?: Record<string, never>;
                    /** @description Changes nothing; returns the number of leads, five of them, and three before and after. */
                    dry_run?: boolean;
                    /** @description Expected number of leads; with any other number 409, and nothing is changed. */
                    expect?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of leads selected. */
                        matched: number;
                        /** @description Five of them, of a dry run. */
                        sample?: components["schemas"]["Lead"][];
                        /** @description Three of them, of a dry run that changes leads. */
                        preview?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Name of the person or company. */
                            name: string;
                            /** @description `[before, after]` by field, `attr:<name>` for attributes. */
                            changes?: {
                                [key: string]: unknown[];
                            };
                            /** @description Why it could not be changed. */
                            message?: string;
                        }[];
                        /** @description How many of the leads would lose which tags, of a dry run. */
                        tags_lost?: {
                            [key: string]: number;
                        };
                        /**
                         * @description Changes nothing; returns the number of leads, five of them, and three before and after.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description How many succeeded. */
                        success?: number;
                        /** @description How many failed. */
                        failed?: number;
                        /** @description The leads that could not be changed. */
                        errors?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Why not. */
                            message: string;
                        }[];
                        /** @description Id of the job, for more than 1,000 leads: see `GET /jobs/{id}`. */
                        job?: string;
                        /** @description Shared by all changes that were made together: by one request, import or job. */
                        batch_id?: string;
                    };
                };
            };
            /** @description Accepted: a job does it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of leads selected. */
                        matched: number;
                        /** @description Five of them, of a dry run. */
                        sample?: components["schemas"]["Lead"][];
                        /** @description Three of them, of a dry run that changes leads. */
                        preview?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Name of the person or company. */
                            name: string;
                            /** @description `[before, after]` by field, `attr:<name>` for attributes. */
                            changes?: {
                                [key: string]: unknown[];
                            };
                            /** @description Why it could not be changed. */
                            message?: string;
                        }[];
                        /** @description How many of the leads would lose which tags, of a dry run. */
                        tags_lost?: {
                            [key: string]: number;
                        };
                        /**
                         * @description Changes nothing; returns the number of leads, five of them, and three before and after.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description How many succeeded. */
                        success?: number;
                        /** @description How many failed. */
                        failed?: number;
                        /** @description The leads that could not be changed. */
                        errors?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Why not. */
                            message: string;
                        }[];
                        /** @description Id of the job, for more than 1,000 leads: see `GET /jobs/{id}`. */
                        job?: string;
                        /** @description Shared by all changes that were made together: by one request, import or job. */
                        batch_id?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_notes: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                lead_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_note: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                lead_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Free text. */
                    content: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    update_note: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the note. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Free text. */
                    content: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly lead_id?: string;
                    /** @description Ignored: it stays. */
                    readonly author?: unknown;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_note: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the note. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_activities: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and sort. */
                cursor?: string;
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                lead_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        activities: components["schemas"]["Activity"][];
                        /** @description Pass it as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                        /** @description Whether there is more to read. */
                        has_more: boolean;
                        /** @description Number of items in this answer. */
                        count: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    log_activity: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                lead_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What it was.
                     * @enum {string}
                     */
                    kind: "call" | "email" | "meeting" | "other";
                    /**
                     * @description What came of it.
                     * @enum {string|null}
                     */
                    outcome?: "reached" | "no_answer" | "voicemail" | "declined" | "booked" | null;
                    /** @description Free text. */
                    text?: string | null;
                    /** @description When it was: Unix seconds or an ISO date; now by default. */
                    at?: number | string;
                    /** @description Set on the lead: what is to be done next; null clears it. */
                    next_step?: string | null;
                    /** @description Set on the lead: when that is due, Unix seconds or an ISO date. */
                    next_step_at?: (number | string) | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    count_activities: {
        parameters: {
            query?: {
                /** @description Default `member,week`; also `kind`, `outcome`, and `day`, `month` or `year` in place of `week`. */
                by?: ("member" | "kind" | "outcome" | "day" | "week" | "month" | "year")[];
                /** @description Only activities of this kind. */
                kind?: "call" | "email" | "meeting" | "other";
                /** @description Only activities at or after this time, Unix seconds or an ISO date. */
                since?: number | string;
                /** @description Only activities at or before this time, Unix seconds or an ISO date. */
                until?: number | string;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A property for each part of `by`, and `count`; `name` is the member's. */
                        counts: {
                            [key: string]: (string | number) | null;
                        }[];
                        /** @description All of them. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    delete_activity: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the activitie. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_templates: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_template: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For the account's own people. */
                    name: string;
                    /** @description Fields in double braces: `{{company}}`, `{{attr:seats}}`, `{{sender}}` for who writes. */
                    subject: string;
                    /** @description Plain text, with fields likewise. */
                    body: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_template: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_template: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description For the account's own people. */
                    name?: string;
                    /** @description Fields in double braces: `{{company}}`, `{{attr:seats}}`, `{{sender}}` for who writes. */
                    subject?: string;
                    /** @description Plain text, with fields likewise. */
                    body?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_template: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    render_template: {
        parameters: {
            query: {
                /** @description The lead that it is for. */
                lead_id: string;
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description In one line. */
                        subject: string;
                        /** @description Plain text. */
                        body: string;
                        /** @description The lead's email; null where it has none. */
                        to: string | null;
                        /** @description Opens the mail in a mail program; null without an email. */
                        mailto: string | null;
                        /** @description Fields of the template that this lead has no value for: nothing stands in their place. */
                        missing: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    list_attributes: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                lead_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attribute"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_attribute: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                lead_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttributeInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attribute"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_attribute_catalogue: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the person or company. */
                        name: string;
                        /** @enum {string} */
                        type: "text" | "number" | "bool" | "list" | "object" | "date";
                        /** @description How many leads have it with this type. */
                        leads: number;
                        /** @description The least, of numbers and dates. */
                        min?: number;
                        /** @description The greatest, of numbers and dates. */
                        max?: number;
                        /** @description The commonest ten, of texts and lists with at most 200 values. */
                        values?: {
                            /** @description Must fit the type. */
                            value: string;
                            /** @description Number of items in this answer. */
                            count: number;
                        }[];
                        /**
                         * @description True for an attribute that was defined; else absent, as what follows.
                         * @constant
                         */
                        defined?: true;
                        /** @description The texts that a value, or an item of a list, may be, ignoring case; null for any. */
                        options?: string[] | null;
                        /** @description New leads must have it; imports warn. */
                        required?: boolean;
                        /** @description What numbers count, such as `EUR`. */
                        unit?: string | null;
                        /** @description Its place on screens, the least first; null for behind all that have one. */
                        position?: number | null;
                        /** @description For people. */
                        description?: string | null;
                    }[];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_attribute_definition: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the attribute. */
                attribute: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Its new name, on all leads that have it. Merge it into a name that there is already. */
                    name?: string;
                    /**
                     * @description The type of its values; those that leads have are converted where they fit.
                     * @enum {string}
                     */
                    type?: "text" | "number" | "bool" | "list" | "object" | "date";
                    /** @description The texts that a value, or an item of a list, may be, ignoring case: at most 200; null for any. */
                    options?: string[] | null;
                    /** @description New leads must have it; imports warn. */
                    required?: boolean | null;
                    /** @description What numbers count, such as `EUR`. */
                    unit?: string | null;
                    /** @description Its place on screens, the least first. */
                    position?: number | null;
                    /** @description For people. */
                    description?: string | null;
                    /** @description Changes nothing; counts the leads that have it, and the values that do not fit. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The attribute's name. */
                        name: string;
                        /**
                         * @description The type of its values.
                         * @enum {string}
                         */
                        type: "text" | "number" | "bool" | "list" | "object" | "date";
                        /** @description The texts that a value, or an item of a list, may be, ignoring case; null for any. */
                        options: string[] | null;
                        /** @description New leads must have it; imports warn. */
                        required: boolean;
                        /** @description What numbers count, such as `EUR`. */
                        unit: string | null;
                        /** @description Its place on screens, the least first; null for behind all that have one. */
                        position: number | null;
                        /** @description For people. */
                        description: string | null;
                        /** @description Unix seconds. */
                        created_at: number;
                        /** @description Unix seconds. */
                        updated_at: number;
                        /** @description How many leads have the attribute. */
                        matched?: number;
                        /** @description In a dry run: how many of their values do not fit. */
                        misfits?: number;
                        /** @description In a dry run: five leads with values that do not fit, or five that have it where all fit. */
                        sample?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description The value as it is. */
                            value: components["schemas"]["AttributeValue"];
                            /** @description Why it does not fit. */
                            message?: string;
                        }[];
                        /**
                         * @description Nothing was changed.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description Leads that were changed, or needed no change. */
                        success?: number;
                        /** @description Leads whose value does not fit: it stays as it is. */
                        failed?: number;
                        /** @description The leads whose value stays. */
                        errors?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Why the value stays. */
                            message: string;
                        }[];
                        /** @description Id of the job, for more than 1,000 leads: see `GET /jobs/{id}`. */
                        job?: string;
                        /** @description Shared by all changes that were made together: by one request, import or job. */
                        batch_id?: string;
                    };
                };
            };
            /** @description Accepted: a job does it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The attribute's name. */
                        name: string;
                        /**
                         * @description The type of its values.
                         * @enum {string}
                         */
                        type: "text" | "number" | "bool" | "list" | "object" | "date";
                        /** @description The texts that a value, or an item of a list, may be, ignoring case; null for any. */
                        options: string[] | null;
                        /** @description New leads must have it; imports warn. */
                        required: boolean;
                        /** @description What numbers count, such as `EUR`. */
                        unit: string | null;
                        /** @description Its place on screens, the least first; null for behind all that have one. */
                        position: number | null;
                        /** @description For people. */
                        description: string | null;
                        /** @description Unix seconds. */
                        created_at: number;
                        /** @description Unix seconds. */
                        updated_at: number;
                        /** @description How many leads have the attribute. */
                        matched?: number;
                        /** @description In a dry run: how many of their values do not fit. */
                        misfits?: number;
                        /** @description In a dry run: five leads with values that do not fit, or five that have it where all fit. */
                        sample?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description The value as it is. */
                            value: components["schemas"]["AttributeValue"];
                            /** @description Why it does not fit. */
                            message?: string;
                        }[];
                        /**
                         * @description Nothing was changed.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description Leads that were changed, or needed no change. */
                        success?: number;
                        /** @description Leads whose value does not fit: it stays as it is. */
                        failed?: number;
                        /** @description The leads whose value stays. */
                        errors?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Why the value stays. */
                            message: string;
                        }[];
                        /** @description Id of the job, for more than 1,000 leads: see `GET /jobs/{id}`. */
                        job?: string;
                        /** @description Shared by all changes that were made together: by one request, import or job. */
                        batch_id?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_attribute_definition: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the attribute. */
                attribute: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    merge_attributes: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the attribute. */
                attribute: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name that stays. */
                    into: string;
                    /** @description Changes nothing; counts the leads, and the values that do not fit the other's definition. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The attribute's name. */
                        name: string;
                        /**
                         * @description The type of its values.
                         * @enum {string}
                         */
                        type: "text" | "number" | "bool" | "list" | "object" | "date";
                        /** @description The texts that a value, or an item of a list, may be, ignoring case; null for any. */
                        options: string[] | null;
                        /** @description New leads must have it; imports warn. */
                        required: boolean;
                        /** @description What numbers count, such as `EUR`. */
                        unit: string | null;
                        /** @description Its place on screens, the least first; null for behind all that have one. */
                        position: number | null;
                        /** @description For people. */
                        description: string | null;
                        /** @description Unix seconds. */
                        created_at: number;
                        /** @description Unix seconds. */
                        updated_at: number;
                        /** @description How many leads have the attribute. */
                        matched?: number;
                        /** @description In a dry run: how many of their values do not fit. */
                        misfits?: number;
                        /** @description In a dry run: five leads with values that do not fit, or five that have it where all fit. */
                        sample?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description The value as it is. */
                            value: components["schemas"]["AttributeValue"];
                            /** @description Why it does not fit. */
                            message?: string;
                        }[];
                        /**
                         * @description Nothing was changed.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description Leads that were changed, or needed no change. */
                        success?: number;
                        /** @description Leads whose value does not fit: it stays as it is. */
                        failed?: number;
                        /** @description The leads whose value stays. */
                        errors?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Why the value stays. */
                            message: string;
                        }[];
                        /** @description Id of the job, for more than 1,000 leads: see `GET /jobs/{id}`. */
                        job?: string;
                        /** @description Shared by all changes that were made together: by one request, import or job. */
                        batch_id?: string;
                    };
                };
            };
            /** @description Accepted: a job does it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The attribute's name. */
                        name: string;
                        /**
                         * @description The type of its values.
                         * @enum {string}
                         */
                        type: "text" | "number" | "bool" | "list" | "object" | "date";
                        /** @description The texts that a value, or an item of a list, may be, ignoring case; null for any. */
                        options: string[] | null;
                        /** @description New leads must have it; imports warn. */
                        required: boolean;
                        /** @description What numbers count, such as `EUR`. */
                        unit: string | null;
                        /** @description Its place on screens, the least first; null for behind all that have one. */
                        position: number | null;
                        /** @description For people. */
                        description: string | null;
                        /** @description Unix seconds. */
                        created_at: number;
                        /** @description Unix seconds. */
                        updated_at: number;
                        /** @description How many leads have the attribute. */
                        matched?: number;
                        /** @description In a dry run: how many of their values do not fit. */
                        misfits?: number;
                        /** @description In a dry run: five leads with values that do not fit, or five that have it where all fit. */
                        sample?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description The value as it is. */
                            value: components["schemas"]["AttributeValue"];
                            /** @description Why it does not fit. */
                            message?: string;
                        }[];
                        /**
                         * @description Nothing was changed.
                         * @constant
                         */
                        dry_run?: true;
                        /** @description Leads that were changed, or needed no change. */
                        success?: number;
                        /** @description Leads whose value does not fit: it stays as it is. */
                        failed?: number;
                        /** @description The leads whose value stays. */
                        errors?: {
                            /** @description `cl_` and a UUID. */
                            lead_id: string;
                            /** @description Why the value stays. */
                            message: string;
                        }[];
                        /** @description Id of the job, for more than 1,000 leads: see `GET /jobs/{id}`. */
                        job?: string;
                        /** @description Shared by all changes that were made together: by one request, import or job. */
                        batch_id?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    update_attribute: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                lead_id: string;
                /** @description Id of the attribute. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As in the path, or left out. */
                    lead_id?: string;
                    /** @description As in the path, or left out. */
                    id?: string;
                    /** @description Must fit the type. */
                    value: components["schemas"]["AttributeValue"];
                    /** @description Name of the person or company. */
                    readonly name?: unknown;
                    readonly type?: unknown;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attribute"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_attribute: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                lead_id: string;
                /** @description Id of the attribute. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_scoring_rules: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoringRule"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_scoring_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For people. */
                    name: string;
                    /** @description Such as `rating >= 4 ? 20 : 0`. */
                    expression: string;
                    /**
                     * @description Factor for the expression's value.
                     * @default 1
                     */
                    weight?: number;
                    /**
                     * @description Orders the rules in lists, lowest first.
                     * @default 0
                     */
                    priority?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoringRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_scoring_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the scoring rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoringRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_scoring_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the scoring rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description For people. */
                    name?: string;
                    /** @description Such as `rating >= 4 ? 20 : 0`. */
                    expression?: string;
                    /** @description Factor for the expression's value. */
                    weight?: number;
                    /** @description Orders the rules in lists, lowest first. */
                    priority?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoringRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_scoring_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the scoring rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patch_scoring_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the scoring rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description For people. */
                    name?: string;
                    /** @description Such as `rating >= 4 ? 20 : 0`. */
                    expression?: string;
                    /** @description Factor for the expression's value. */
                    weight?: number;
                    /** @description Orders the rules in lists, lowest first. */
                    priority?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoringRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    preview_scoring_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Such as `rating >= 4 ? 20 : 0`. */
                    expression: string;
                    /** @description Try it on this lead. */
                    lead_id?: string;
                    /** @description Or on this one, which is not saved. */
                    lead?: {
                        /** @description Name of the person or company. */
                        name?: string | null;
                        /** @description Where the lead came from, such as `google_maps`. */
                        source?: string | null;
                        /** @description Looks like `name@example.com`. One lead per account has it, ignoring case: it finds duplicates. */
                        email?: string | null;
                        /** @description Free text. Finds duplicates together with a similar name. */
                        phone?: string | null;
                        /** @description Free text. */
                        website?: string | null;
                        /** @description Where the person works. */
                        company?: string | null;
                        /** @description What the person does there. */
                        job_title?: string | null;
                        /** @description Free text. */
                        linkedin_url?: string | null;
                        address?: string | null;
                        city?: string | null;
                        state?: string | null;
                        country?: string | null;
                        postal_code?: string | null;
                        category?: string | null;
                        /** @description Long text. */
                        description?: string | null;
                        logo_url?: string | null;
                        /** @description Id of the lead in its source. One lead per account has it: it finds duplicates. */
                        source_id?: string | null;
                        /** @description Id of a stage of the account. Setting it sets the status; another status leaves it. */
                        stage?: string | null;
                        /** @description Why the lead was lost. */
                        lost_reason?: string | null;
                        /** @description Id of the member who looks after the lead. */
                        owner?: string | null;
                        /** @description What is to be done next. */
                        next_step?: string | null;
                        /** @description Why the person's data may be kept: `consent`, `contract`, `legal_obligation`, `vital_interests`, `public_task`, `legitimate_interests`. */
                        lawful_basis?: string | null;
                        /** @description What the person agreed to, in the words shown. */
                        consent?: string | null;
                        /** @description Degrees north. */
                        latitude?: number | null;
                        /** @description Degrees east. */
                        longitude?: number | null;
                        /** @description Any number. */
                        rating?: number | null;
                        /** @description A whole number of at least 0. */
                        review_count?: number | null;
                        /** @description Must fit the type. */
                        value?: number | null;
                        /** @description When the next step is due: Unix seconds or an ISO date. Then `lead.due` is sent. */
                        next_step_at?: (number | string) | null;
                        /** @description When the person agreed: Unix seconds or an ISO date. */
                        consent_at?: (number | string) | null;
                        /** @description At most 100 tags of 200 characters, each once ignoring case. */
                        tags?: string[] | null;
                        /**
                         * @description Any status may follow any other.
                         * @enum {string|null}
                         */
                        status?: "new" | "contacted" | "qualified" | "disqualified" | "converted" | null;
                        /** @description Unix seconds. */
                        created_at?: number | null;
                        /** @description Unix seconds. */
                        updated_at?: number | null;
                        /** @description Unix seconds. */
                        last_interaction_at?: number | null;
                        /** @description Unix seconds of the newest note that it has; null without notes. */
                        last_note_at?: number | null;
                        /** @description How many notes it has. */
                        note_count?: number | null;
                        /** @description Unix seconds of the newest activity or change of its status to `contacted`; notes and pushes do not count. */
                        last_contacted_at?: number | null;
                        /** @description Unix seconds of the latest push, change, note or contact. */
                        last_touched_at?: number | null;
                        /** @description Custom fields, at most 200. */
                        attributes?: components["schemas"]["AttributeInput"][] | null;
                        /** @description Set by the service; accepted and ignored. */
                        readonly id?: string;
                        /** @description Set by the service; accepted and ignored. */
                        readonly score?: number;
                    };
                    /** @description Try it on all leads. */
                    all?: boolean;
                    /** @description With `all`: the factor for the expression's value, 1 by default. */
                    weight?: number;
                    /** @description With `all`: the rule that it would replace. */
                    rule_id?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        valid: boolean;
                        /** @description The expression's value. */
                        value?: number;
                        error?: {
                            message: string;
                            /** @description Character at which the expression goes wrong, from 1. */
                            position: number;
                        };
                        /** @description Only with `all`: how many leads there are. */
                        leads?: number;
                        /** @description Only with `all`: how many scores would change. */
                        changed?: number;
                        /** @description Only with `all`: how many stored scores are not by the rules as they are. */
                        outdated?: number;
                        /** @description Only with `all`: how many stored scores would change once all are recalculated with this rule. */
                        update_all_scores?: number;
                        /** @description Says so where stored scores are old. */
                        message?: string;
                        /** @description Only with `all`: the scores by the rules as they are. */
                        before?: {
                            /** @description Null without leads. */
                            average: number | null;
                            /** @description From 70. */
                            hot: number;
                            /** @description From 40. */
                            warm: number;
                            /** @description Below 40. */
                            cold: number;
                        };
                        /** @description Only with `all`: the scores with this rule. */
                        after?: {
                            /** @description Null without leads. */
                            average: number | null;
                            /** @description From 70. */
                            hot: number;
                            /** @description From 40. */
                            warm: number;
                            /** @description Below 40. */
                            cold: number;
                        };
                        /** @description Only with `all`: how many leads have which score, in 20 steps of 5. */
                        scores?: {
                            /** @description By the rules as they are. */
                            before: number[];
                            /** @description With this rule. */
                            after: number[];
                        };
                        /** @description Only with `all`: the leads whose score would change most. */
                        sample?: {
                            id: string;
                            /** @description Name of the person or company. */
                            name: string;
                            /** @description Score by the rules as they are. */
                            before: number;
                            /** @description Score with this rule. */
                            after: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    explain_lead_score: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description The score that the rules give now; the stored score is not changed. */
                        score: number;
                        /** @description By priority. */
                        rules: {
                            /** @description The rule's. */
                            id: string;
                            /** @description The rule's. */
                            name: string;
                            /** @description The expression's value. */
                            value: number;
                            /** @description The rule's. */
                            weight: number;
                            /** @description Value times weight. */
                            contribution: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_lead_score: {
        parameters: {
            query?: {
                /** @description Adds the contribution of each rule. */
                explain?: boolean;
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        score: number;
                        /** @description Contribution of each rule, with `explain`. */
                        rules?: {
                            /** @description The rule's. */
                            id: string;
                            /** @description The rule's. */
                            name: string;
                            /** @description The expression's value. */
                            value: number;
                            /** @description The rule's. */
                            weight: number;
                            /** @description Value times weight. */
                            contribution: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    update_all_scores: {
        parameters: {
            query?: {
                /** @description Answers 202 at once and runs in the background. */
                background?: boolean;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many leads there are. */
                        count: number;
                        /** @description How many scores changed. */
                        changed: number;
                    } | {
                        /** @description Id of the job: see `GET /jobs/{id}`. */
                        job: string;
                        /** @description How many leads there are. */
                        of: number;
                    };
                };
            };
            /** @description Accepted: a job does it, see `GET /jobs/{id}`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many leads there are. */
                        count: number;
                        /** @description How many scores changed. */
                        changed: number;
                    } | {
                        /** @description Id of the job: see `GET /jobs/{id}`. */
                        job: string;
                        /** @description How many leads there are. */
                        of: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_segments: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_segment: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the person or company. */
                    name: string;
                    /** @description Filters, as in lists. */
                    filter?: string[] | null;
                    /** @description Search, as in lists. */
                    q?: string | null;
                    /** @description How lists of the segment are sorted. */
                    sort_by?: string | null;
                    /** @description Sort direction; default `ASC`. */
                    sort_order?: string | null;
                    /** @description Sends `lead.needs_enrichment` for its leads, those of now and those that enter, once for each. */
                    enrich?: boolean;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Number of items in this answer. */
                    readonly count?: unknown;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_segment: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_segment: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name of the person or company. */
                    name?: string;
                    /** @description Filters, as in lists. */
                    filter?: string[] | null;
                    /** @description Search, as in lists. */
                    q?: string | null;
                    /** @description How lists of the segment are sorted. */
                    sort_by?: string | null;
                    /** @description Sort direction; default `ASC`. */
                    sort_order?: string | null;
                    /** @description Sends `lead.needs_enrichment` for its leads, those of now and those that enter, once for each. */
                    enrich?: boolean;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Number of items in this answer. */
                    readonly count?: unknown;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_segment: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patch_segment: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the segment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name of the person or company. */
                    name?: string;
                    /** @description Filters, as in lists. */
                    filter?: string[] | null;
                    /** @description Search, as in lists. */
                    q?: string | null;
                    /** @description How lists of the segment are sorted. */
                    sort_by?: string | null;
                    /** @description Sort direction; default `ASC`. */
                    sort_order?: string | null;
                    /** @description Sends `lead.needs_enrichment` for its leads, those of now and those that enter, once for each. */
                    enrich?: boolean;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Number of items in this answer. */
                    readonly count?: unknown;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_companies: {
        parameters: {
            query?: {
                /** @description In the name, company, website or email of a lead of it. */
                q?: string;
                /** @description Only these companies, with commas between their ids, at most 200. */
                ids?: string;
                /** @description Companies per page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Those with the most leads first. */
                        companies: components["schemas"]["Company"][];
                        /** @description Of the next page; null at the end. */
                        next_cursor: string | null;
                        /** @description Whether there is a next page. */
                        has_more: boolean;
                        /** @description Companies in this answer. */
                        count: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    get_company: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the companie. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    merge_companies: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Companies; the first is the one that stays. */
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergedCompany"];
                };
            };
            /** @description Accepted: a job does it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergedCompany"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    set_lead_company: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The company's id; null takes the lead out. */
                    company_id: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_stages: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stage"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_stage: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Unique in the account, ignoring case. */
                    name: string;
                    /**
                     * @description The status of all leads in it.
                     * @enum {string}
                     */
                    status: "new" | "contacted" | "qualified" | "disqualified" | "converted";
                    /** @description A colour's name, or `#rrggbb`. */
                    color?: string;
                    /** @description Its place among the stages: the least comes first. */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    update_stage: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the stage. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Unique in the account, ignoring case. */
                    name?: string;
                    /**
                     * @description The status of all leads in it.
                     * @enum {string}
                     */
                    status?: "new" | "contacted" | "qualified" | "disqualified" | "converted";
                    /** @description A colour's name, or `#rrggbb`. */
                    color?: string;
                    /** @description Its place among the stages: the least comes first. */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedStage"];
                };
            };
            /** @description Accepted: a job does it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedStage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_stage: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the stage. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /**
                         * @description Always true.
                         * @constant
                         */
                        deleted: true;
                        /** @description Leads that were in it and change with it. */
                        leads?: number;
                        /** @description The batch of their changes, for `POST /changes/revert`. */
                        batch_id?: string;
                        /** @description Id of the job that changes them, for more than 1,000: see `GET /jobs/{id}`. */
                        job?: string;
                    };
                };
            };
            /** @description Accepted: a job does it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /**
                         * @description Always true.
                         * @constant
                         */
                        deleted: true;
                        /** @description Leads that were in it and change with it. */
                        leads?: number;
                        /** @description The batch of their changes, for `POST /changes/revert`. */
                        batch_id?: string;
                        /** @description Id of the job that changes them, for more than 1,000: see `GET /jobs/{id}`. */
                        job?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patch_stage: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the stage. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Unique in the account, ignoring case. */
                    name?: string;
                    /**
                     * @description The status of all leads in it.
                     * @enum {string}
                     */
                    status?: "new" | "contacted" | "qualified" | "disqualified" | "converted";
                    /** @description A colour's name, or `#rrggbb`. */
                    color?: string;
                    /** @description Its place among the stages: the least comes first. */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedStage"];
                };
            };
            /** @description Accepted: a job does it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedStage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_links: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_link: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the segment. */
                    segment: string;
                    /** @description Lead fields to show, `attr:<name>` too; others are never shown. */
                    fields: string[];
                    /** @description When the address stops working; null for never. */
                    expires_at?: (number | string) | null;
                    /** @description Asked for before the list is shown; 10 characters and more. */
                    password?: string | null;
                };
            };
        };
        responses: {
            /** @description The link with its address, shown only here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_link: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description http or https, without user name or password. */
                    url: string;
                    /** @description All of them when left out. */
                    events?: ("lead.created" | "lead.updated" | "lead.deleted" | "lead.scored" | "note.created" | "note.updated" | "note.deleted" | "leads.created" | "leads.updated" | "leads.deleted" | "leads.scored" | "lead.merged" | "lead.unmerged" | "segment.entered" | "segment.left" | "lead.due" | "form.confirmation_requested" | "lead.needs_enrichment")[] | null;
                    /** @description Key of the HMAC signature, 1 to 500 characters; never shown again. */
                    secret?: string | null;
                    /** @description When off, events are neither sent nor queued. */
                    active?: boolean;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly has_secret?: boolean;
                    /** @description Set by the service; accepted and ignored. */
                    readonly disabled_reason?: string;
                    /** @description Ignored. */
                    readonly expires_at?: unknown;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description http or https, without user name or password. */
                    url?: string;
                    /** @description All of them when null. */
                    events?: ("lead.created" | "lead.updated" | "lead.deleted" | "lead.scored" | "note.created" | "note.updated" | "note.deleted" | "leads.created" | "leads.updated" | "leads.deleted" | "leads.scored" | "lead.merged" | "lead.unmerged" | "segment.entered" | "segment.left" | "lead.due" | "form.confirmation_requested" | "lead.needs_enrichment")[] | null;
                    /** @description Key of the HMAC signature, 1 to 500 characters; never shown again. */
                    secret?: string | null;
                    /** @description When off, events are neither sent nor queued. */
                    active?: boolean;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly has_secret?: boolean;
                    /** @description Set by the service; accepted and ignored. */
                    readonly disabled_reason?: string;
                    /** @description Ignored. */
                    readonly expires_at?: unknown;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patch_webhook: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description http or https, without user name or password. */
                    url?: string;
                    /** @description All of them when null. */
                    events?: ("lead.created" | "lead.updated" | "lead.deleted" | "lead.scored" | "note.created" | "note.updated" | "note.deleted" | "leads.created" | "leads.updated" | "leads.deleted" | "leads.scored" | "lead.merged" | "lead.unmerged" | "segment.entered" | "segment.left" | "lead.due" | "form.confirmation_requested" | "lead.needs_enrichment")[] | null;
                    /** @description Key of the HMAC signature, 1 to 500 characters; never shown again. */
                    secret?: string | null;
                    /** @description When off, events are neither sent nor queued. */
                    active?: boolean;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly has_secret?: boolean;
                    /** @description Set by the service; accepted and ignored. */
                    readonly disabled_reason?: string;
                    /** @description Ignored. */
                    readonly expires_at?: unknown;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: it is sent at once. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries with this status; `failing` are pending ones whose last attempt failed. */
                status?: "pending" | "succeeded" | "failed" | "expired" | "failing";
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and sort. */
                cursor?: string;
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        deliveries: components["schemas"]["Delivery"][];
                        /** @description Pass it as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                        /** @description Whether there is more to read. */
                        has_more: boolean;
                        /** @description Number of items in this answer. */
                        count: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retry_webhook_delivery: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the webhook. */
                id: string;
                /** @description Id of the deliverie. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: it is sent at once. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    retry_webhook_deliveries: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unix seconds or an ISO date: deliveries created then or later. */
                    since: number | string;
                };
            };
        };
        responses: {
            /** @description Accepted: they are sent at once. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many are sent again. */
                        retried: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_forms: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_form: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For the account's own people. */
                    name: string;
                    /** @description When off, the address answers 404. */
                    active?: boolean;
                    /** @description Names, or objects `{name, label, required, type}`. A name is that of a lead field that people say of themselves, or `attr:NAME`; `type` is that of the attribute: `text` (default), `number`, `bool`; an attribute with a definition is asked for as that says. */
                    fields?: (string | {
                        /** @description Name of the person or company. */
                        name: string;
                        /** @description What people read beside it. */
                        label?: string | null;
                        /** @description Whether it must be filled in. */
                        required?: boolean;
                        /**
                         * @description Type of the attribute; null for a lead field.
                         * @enum {string|null}
                         */
                        type?: "text" | "number" | "bool" | null;
                    })[];
                    /** @description Names of fields that must be filled in, besides those that say so themselves. */
                    required?: string[];
                    /** @description The `source` of its leads; the form's name by default. */
                    source?: string;
                    /** @description Tags of its leads. */
                    tags?: string[] | null;
                    /** @description Shown after a post. */
                    thanks?: string | null;
                    /** @description An http or https address that the browser goes to after a post instead. */
                    redirect?: string | null;
                    /** @description Origins whose pages may post to it from a script, such as `https://www.example.com`; `*` is any. */
                    origins?: string[] | null;
                    /** @description Name of the field that people do not see: a post that fills it is spam. */
                    honeypot?: string | null;
                    /** @description A post of the hosted page that comes faster is spam. */
                    min_seconds?: number | null;
                    /** @description Posts a minute from one address. */
                    limit_per_address?: number | null;
                    /** @description Posts a minute from all addresses; null is 20 times as many as from one. */
                    limit_per_form?: number | null;
                    /** @description What people agree to by ticking a box: `consent` of the lead, with `consent_at`. */
                    consent_text?: string | null;
                    /** @description Keeps a post apart until a signed link is opened, which the event `form.confirmation_requested` carries. */
                    double_opt_in?: boolean | null;
                    /**
                     * @description Of its page, answers and snippet; `auto`, the default, is what the browser asks for.
                     * @enum {string|null}
                     */
                    language?: "auto" | "en" | "de" | null;
                    /** @description A check by Turnstile or hCaptcha: `{provider, site_key, secret, verify_url}`. */
                    captcha?: {
                        /**
                         * @description Who checks.
                         * @enum {string}
                         */
                        provider: "turnstile" | "hcaptcha";
                        /** @description The provider's public key of the page. */
                        site_key: string;
                        /** @description The provider's secret key, never shown; left out, it stays as it is. Another `verify_url` or provider needs it again. */
                        secret?: string | null;
                        /** @description Where answers are checked; the provider's own address by default. */
                        verify_url?: string | null;
                        /** @description Whether there is a secret. */
                        readonly has_secret?: unknown;
                    } | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Its public address: a page with the form, and where posts go. */
                    readonly url?: unknown;
                    /** @description HTML with the form to paste into a page of one of its origins. */
                    readonly snippet?: unknown;
                    /** @description Posts that are kept apart for 7 days: at most 500 as spam, and 500 that the plan had no room for. */
                    readonly spam?: unknown;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_form: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the form. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_form: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the form. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description For the account's own people. */
                    name?: string;
                    /** @description When off, the address answers 404. */
                    active?: boolean;
                    /** @description Names, or objects `{name, label, required, type}`. A name is that of a lead field that people say of themselves, or `attr:NAME`; `type` is that of the attribute: `text` (default), `number`, `bool`; an attribute with a definition is asked for as that says. */
                    fields?: (string | {
                        /** @description Name of the person or company. */
                        name: string;
                        /** @description What people read beside it. */
                        label?: string | null;
                        /** @description Whether it must be filled in. */
                        required?: boolean;
                        /**
                         * @description Type of the attribute; null for a lead field.
                         * @enum {string|null}
                         */
                        type?: "text" | "number" | "bool" | null;
                    })[];
                    /** @description Names of fields that must be filled in, besides those that say so themselves. */
                    required?: string[];
                    /** @description The `source` of its leads; the form's name by default. */
                    source?: string;
                    /** @description Tags of its leads. */
                    tags?: string[] | null;
                    /** @description Shown after a post. */
                    thanks?: string | null;
                    /** @description An http or https address that the browser goes to after a post instead. */
                    redirect?: string | null;
                    /** @description Origins whose pages may post to it from a script, such as `https://www.example.com`; `*` is any. */
                    origins?: string[] | null;
                    /** @description Name of the field that people do not see: a post that fills it is spam. */
                    honeypot?: string | null;
                    /** @description A post of the hosted page that comes faster is spam. */
                    min_seconds?: number | null;
                    /** @description Posts a minute from one address. */
                    limit_per_address?: number | null;
                    /** @description Posts a minute from all addresses; null is 20 times as many as from one. */
                    limit_per_form?: number | null;
                    /** @description What people agree to by ticking a box: `consent` of the lead, with `consent_at`. */
                    consent_text?: string | null;
                    /** @description Keeps a post apart until a signed link is opened, which the event `form.confirmation_requested` carries. */
                    double_opt_in?: boolean | null;
                    /**
                     * @description Of its page, answers and snippet; `auto`, the default, is what the browser asks for.
                     * @enum {string|null}
                     */
                    language?: "auto" | "en" | "de" | null;
                    /** @description A check by Turnstile or hCaptcha: `{provider, site_key, secret, verify_url}`. */
                    captcha?: {
                        /**
                         * @description Who checks.
                         * @enum {string}
                         */
                        provider: "turnstile" | "hcaptcha";
                        /** @description The provider's public key of the page. */
                        site_key: string;
                        /** @description The provider's secret key, never shown; left out, it stays as it is. Another `verify_url` or provider needs it again. */
                        secret?: string | null;
                        /** @description Where answers are checked; the provider's own address by default. */
                        verify_url?: string | null;
                        /** @description Whether there is a secret. */
                        readonly has_secret?: unknown;
                    } | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Its public address: a page with the form, and where posts go. */
                    readonly url?: unknown;
                    /** @description HTML with the form to paste into a page of one of its origins. */
                    readonly snippet?: unknown;
                    /** @description Posts that are kept apart for 7 days: at most 500 as spam, and 500 that the plan had no room for. */
                    readonly spam?: unknown;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_form: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the form. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patch_form: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the form. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description For the account's own people. */
                    name?: string;
                    /** @description When off, the address answers 404. */
                    active?: boolean;
                    /** @description Names, or objects `{name, label, required, type}`. A name is that of a lead field that people say of themselves, or `attr:NAME`; `type` is that of the attribute: `text` (default), `number`, `bool`; an attribute with a definition is asked for as that says. */
                    fields?: (string | {
                        /** @description Name of the person or company. */
                        name: string;
                        /** @description What people read beside it. */
                        label?: string | null;
                        /** @description Whether it must be filled in. */
                        required?: boolean;
                        /**
                         * @description Type of the attribute; null for a lead field.
                         * @enum {string|null}
                         */
                        type?: "text" | "number" | "bool" | null;
                    })[];
                    /** @description Names of fields that must be filled in, besides those that say so themselves. */
                    required?: string[];
                    /** @description The `source` of its leads; the form's name by default. */
                    source?: string;
                    /** @description Tags of its leads. */
                    tags?: string[] | null;
                    /** @description Shown after a post. */
                    thanks?: string | null;
                    /** @description An http or https address that the browser goes to after a post instead. */
                    redirect?: string | null;
                    /** @description Origins whose pages may post to it from a script, such as `https://www.example.com`; `*` is any. */
                    origins?: string[] | null;
                    /** @description Name of the field that people do not see: a post that fills it is spam. */
                    honeypot?: string | null;
                    /** @description A post of the hosted page that comes faster is spam. */
                    min_seconds?: number | null;
                    /** @description Posts a minute from one address. */
                    limit_per_address?: number | null;
                    /** @description Posts a minute from all addresses; null is 20 times as many as from one. */
                    limit_per_form?: number | null;
                    /** @description What people agree to by ticking a box: `consent` of the lead, with `consent_at`. */
                    consent_text?: string | null;
                    /** @description Keeps a post apart until a signed link is opened, which the event `form.confirmation_requested` carries. */
                    double_opt_in?: boolean | null;
                    /**
                     * @description Of its page, answers and snippet; `auto`, the default, is what the browser asks for.
                     * @enum {string|null}
                     */
                    language?: "auto" | "en" | "de" | null;
                    /** @description A check by Turnstile or hCaptcha: `{provider, site_key, secret, verify_url}`. */
                    captcha?: {
                        /**
                         * @description Who checks.
                         * @enum {string}
                         */
                        provider: "turnstile" | "hcaptcha";
                        /** @description The provider's public key of the page. */
                        site_key: string;
                        /** @description The provider's secret key, never shown; left out, it stays as it is. Another `verify_url` or provider needs it again. */
                        secret?: string | null;
                        /** @description Where answers are checked; the provider's own address by default. */
                        verify_url?: string | null;
                        /** @description Whether there is a secret. */
                        readonly has_secret?: unknown;
                    } | null;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Its public address: a page with the form, and where posts go. */
                    readonly url?: unknown;
                    /** @description HTML with the form to paste into a page of one of its origins. */
                    readonly snippet?: unknown;
                    /** @description Posts that are kept apart for 7 days: at most 500 as spam, and 500 that the plan had no room for. */
                    readonly spam?: unknown;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_form_spam: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and sort. */
                cursor?: string;
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the form. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        spam: components["schemas"]["FormSpam"][];
                        /** @description Pass it as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                        /** @description Whether there is more to read. */
                        has_more: boolean;
                        /** @description Number of items in this answer. */
                        count: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    release_form_spam: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the form. */
                id: string;
                /** @description Id of the spam. */
                spam_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_api_keys: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_api_key: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For people. */
                    name: string;
                    /**
                     * @description Owner when left out.
                     * @enum {string}
                     */
                    role?: "viewer" | "editor" | "owner";
                    /** @description Unix seconds or an ISO date; null for never. */
                    expires_at?: (number | string) | null;
                    /**
                     * @description Style of lists in answers to the key: `object` for client libraries that read `{notes: [...]}`.
                     * @enum {string}
                     */
                    list_style?: "array" | "object";
                    /**
                     * @description `plan` for agents: tools show what they would do before they do harm.
                     * @enum {string}
                     */
                    guard?: "plan";
                    /** @description Id of a segment: the key sees and writes its leads alone. */
                    segment?: string;
                };
            };
        };
        responses: {
            /** @description The key, shown only here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `key_` and a UUID. */
                        id: string;
                        /** @description For people. */
                        name: string;
                        /** @description How the key begins, to recognise it. */
                        prefix: string;
                        /**
                         * @description Owner when left out.
                         * @enum {string}
                         */
                        role: "viewer" | "editor" | "owner";
                        /**
                         * @description Always `key`.
                         * @enum {string}
                         */
                        kind: "key" | "sign_in";
                        /** @description The key that made it. */
                        issued_by: string | null;
                        /** @description Unix seconds. */
                        created_at: number;
                        /** @description Unix seconds. */
                        last_used_at: number | null;
                        /** @description Unix seconds; null for never. */
                        expires_at: number | null;
                        /**
                         * @description Style of lists in answers to the key; absent where it follows the service.
                         * @enum {string}
                         */
                        list_style?: "array" | "object";
                        /**
                         * @description `plan`: tools show what they would do before they do harm; absent for a plain key.
                         * @enum {string}
                         */
                        guard?: "plan";
                        /** @description The segment that the key is bound to; absent where it sees all leads. */
                        segment?: string;
                        /** @description The key itself. Shown in this answer and never again. */
                        key: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_api_key: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_account: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_account: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description An ISO 3166 code of two letters such as `DE`; null for no country. */
                    default_country?: string | null;
                    /** @description IANA name of the zone of its days, such as `Europe/Berlin`; `UTC` at first. */
                    time_zone?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_retention_rules: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRule"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_retention_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the person or company. */
                    name: string;
                    /** @description Filters, as in lists: the leads that it is about; an empty list is all of them. */
                    filter: string[];
                    /** @description Months for which a lead must not have been touched; or `days`. */
                    months?: number | null;
                    /** @description Days for which a lead must not have been touched; or `months`. */
                    days?: number | null;
                    /**
                     * @description Days for which leads are shown before they are erased; 14 by default.
                     * @default 14
                     */
                    notice_days?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly erases_from?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly matched?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_retention_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the retention rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_retention_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the retention rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name of the person or company. */
                    name?: string;
                    /** @description Filters, as in lists: the leads that it is about; an empty list is all of them. */
                    filter?: string[];
                    /** @description Months for which a lead must not have been touched; or `days`. */
                    months?: number | null;
                    /** @description Days for which a lead must not have been touched; or `months`. */
                    days?: number | null;
                    /** @description Days for which leads are shown before they are erased; 14 by default. */
                    notice_days?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly erases_from?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly matched?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_retention_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the retention rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    patch_retention_rule: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the retention rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name of the person or company. */
                    name?: string;
                    /** @description Filters, as in lists: the leads that it is about; an empty list is all of them. */
                    filter?: string[];
                    /** @description Months for which a lead must not have been touched; or `days`. */
                    months?: number | null;
                    /** @description Days for which a lead must not have been touched; or `months`. */
                    days?: number | null;
                    /** @description Days for which leads are shown before they are erased; 14 by default. */
                    notice_days?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /** @description Set by the service; accepted and ignored. */
                    readonly erases_from?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly matched?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly created_at?: number;
                    /** @description Set by the service; accepted and ignored. */
                    readonly updated_at?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    run_retention_rule: {
        parameters: {
            query?: {
                /** @description Erases nothing; shows what would be erased. */
                dry_run?: boolean;
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the retention rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Leads of the filter that were not touched for the rule's time. */
                        matched: number;
                        /** @description Those whose notice is over; without `dry_run` those that are left. */
                        due: number;
                        /** @description Leads that this request has erased. */
                        erased: number;
                        /** @description When the rule erases the first leads at the earliest. */
                        erases_from: number;
                        /** @description Up to 20 of them, those touched longest ago first. */
                        sample: components["schemas"]["Lead"][];
                        /** @description Whether nothing was to be erased. */
                        dry_run: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    export_lead: {
        parameters: {
            query?: {
                /** @description `html` for a page that people read and print. */
                format?: "json" | "html";
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonExport"];
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    list_erasures: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and sort. */
                cursor?: string;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        erasures: components["schemas"]["Erasure"][];
                        /** @description Pass it as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                        /** @description Whether there is more to read. */
                        has_more: boolean;
                        /** @description Number of items in this answer. */
                        count: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    get_network: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The address that the service was told to have; null for none. */
                        public_url: string | null;
                        /** @description Origins in the local network; empty where the service listens on its machine alone. */
                        addresses: string[];
                        /** @description Whether listening on the local network was turned on by `PUT /network`; null where it cannot be. */
                        lan: boolean | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    set_network: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether other machines of the local network are to reach the service. */
                    lan: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The address that the service was told to have; null for none. */
                        public_url: string | null;
                        /** @description Origins in the local network; empty where the service listens on its machine alone. */
                        addresses: string[];
                        /** @description Whether listening on the local network was turned on by `PUT /network`; null where it cannot be. */
                        lan: boolean | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_statuses: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusLabel"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    update_statuses: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Statuses to change. */
                    statuses: {
                        /**
                         * @description The status as the API knows it.
                         * @enum {string}
                         */
                        value: "new" | "contacted" | "qualified" | "disqualified" | "converted";
                        /** @description Its name on screens, at most 40 characters. */
                        label: string;
                        /** @description A colour's name, or `#rrggbb`. */
                        color?: string;
                        /** @description Its place in lists. */
                        position?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusLabel"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_admin_log: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters and sort. */
                cursor?: string;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        entries: components["schemas"]["AdminEntry"][];
                        /** @description Pass it as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                        /** @description Whether there is more to read. */
                        has_more: boolean;
                        /** @description Number of items in this answer. */
                        count: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedSession"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    create_session: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Of `leaddb open` or `leaddb login`; it works once, within 10 minutes. */
                    code?: string;
                    /** @description An API key of the account; the session ends with it. */
                    key?: string;
                    /** @description Name of the member; needs `password`. */
                    name?: string;
                    /** @description The member's. */
                    password?: string;
                    /** @description The answer of the browser's passkey, unchanged. */
                    passkey?: {
                        /** @description Id of the passkey. */
                        id: string;
                        /** @description Id of the passkey again. */
                        rawId: string;
                        /** @description `public-key`. */
                        type: string;
                        /** @description The signed data. */
                        response: {
                            /** @description The browser's client data, in base64url. */
                            clientDataJSON: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    create_passkey_challenge: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    delete_session: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    approve_app: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The text behind the `#` of the address to which the page of the app led. */
                    request: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the app, as it calls itself. */
                        app: string;
                        /** @description Where the browser goes on. */
                        location: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    list_members: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    invite_member: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Shown in the audit trail; unique in the account. */
                    name: string;
                    /**
                     * @description Editor when left out.
                     * @enum {string}
                     */
                    role?: "viewer" | "editor" | "owner";
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedMember"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    update_member: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the member. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Set by the service; accepted and ignored. */
                    readonly id?: string;
                    /**
                     * @description The new role.
                     * @enum {string}
                     */
                    role: "viewer" | "editor" | "owner";
                    /** @description Name of the person or company. */
                    readonly name?: unknown;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `mem_` and a UUID. */
                        id: string;
                        /** @description Shown in the audit trail; unique in the account. */
                        name: string;
                        /**
                         * @description Their role.
                         * @enum {string}
                         */
                        role: "viewer" | "editor" | "owner";
                        /** @description Unix seconds. */
                        created_at: number;
                        /** @description Unix seconds; null while they have not accepted. */
                        joined_at: number | null;
                        /** @description Unix seconds, while an invitation is open. */
                        invite_expires_at: number | null;
                        /** @description How many they have. */
                        passkeys: number;
                        /** @description Whether they sign in with one. */
                        has_password: boolean;
                        /** @description Whether they have signed in with the provider of OpenID Connect. */
                        has_provider: boolean;
                        /** @description What ended, or can do less now. */
                        revoked?: components["schemas"]["RevokedRights"];
                        /** @description Webhooks of the member. */
                        webhooks?: {
                            id: string;
                            /** @description Its target. */
                            url: string;
                            /** @description Whether it goes on. */
                            active: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    delete_member: {
        parameters: {
            query?: {
                /** @description Keeps the API keys and invitations. */
                keep_keys?: boolean;
                /** @description `keep` takes the links over. */
                links?: "stop" | "keep";
                /** @description `stop` turns the webhooks off. */
                webhooks?: "stop" | "keep";
            };
            header?: RequestHeaders;
            path: {
                /** @description Id of the member. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed, with what the member made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of the member. */
                        id: string;
                        /**
                         * @description Always true.
                         * @constant
                         */
                        deleted: true;
                        /** @description As in `revoked`. */
                        revoked_keys: {
                            id: string;
                            /** @description Name of the person or company. */
                            name: string;
                        }[];
                        /** @description As in `revoked`. */
                        revoked_invitations: {
                            id: string;
                            /** @description Name of the person or company. */
                            name: string;
                        }[];
                        /** @description What ended, or can do less now. */
                        revoked: components["schemas"]["RevokedRights"];
                        /** @description Webhooks of the member. */
                        webhooks: {
                            id: string;
                            /** @description Its target. */
                            url: string;
                            /** @description Whether it goes on. */
                            active: boolean;
                        }[];
                    };
                };
            };
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    reinvite_member: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path: {
                /** @description Id of the member. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedMember"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    read_invite: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The secret of the link. */
                    invite: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The member's. */
                        name: string;
                        /**
                         * @description The role they will get.
                         * @enum {string}
                         */
                        role: "viewer" | "editor" | "owner";
                        /** @description Name of the account. */
                        account: string;
                        /** @description Options for `navigator.credentials.create()`; null where browsers allow no passkeys. */
                        passkey: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    accept_invite: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The secret of the link. */
                    invite: string;
                    /** @description At least 10 characters. */
                    password?: string;
                    /** @description The answer of the browser's passkey, unchanged. */
                    passkey?: {
                        /** @description Id of the passkey. */
                        id: string;
                        /** @description Id of the passkey again. */
                        rawId: string;
                        /** @description `public-key`. */
                        type: string;
                        /** @description The signed data. */
                        response: {
                            /** @description The browser's client data, in base64url. */
                            clientDataJSON: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    get_stats: {
        parameters: {
            query?: never;
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    list_categories: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        category: string;
                        /** @description Number of items in this answer. */
                        count: number;
                    }[];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    list_cities: {
        parameters: {
            query?: {
                /** @description Maximum number of items. */
                limit?: number;
            };
            header?: RequestHeaders;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        city: string;
                        /** @description Number of items in this answer. */
                        count: number;
                    }[];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    on_lead_created: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_lead_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_lead_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_lead_scored: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_note_created: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_note_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_note_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_leads_created: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadIdsEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_leads_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadIdsEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_leads_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadIdsEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_leads_scored: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadScoresEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_lead_merged: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadMergedEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_lead_unmerged: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadUnmergedEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_segment_entered: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SegmentEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_segment_left: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SegmentEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_lead_due: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_form_confirmation_requested: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FormConfirmationEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_lead_needs_enrichment: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_webhook_test: {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event. */
                "X-Service-Event": string;
                /** @description Id of the delivery, the same at every attempt. */
                "X-Service-Delivery": string;
                /** @description There when the webhook has a secret: hex HMAC-SHA256 of the raw body, keyed by the secret. */
                "X-Service-Signature"?: string;
                /** @description Standard Webhooks: id of the delivery. */
                "webhook-id": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description There when the webhook has a secret: the signature of Standard Webhooks. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            /** @description Turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. It must come within 5 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again later, up to nine times. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
/** The headers that every request may carry. */
export interface RequestHeaders {
    /** @description From a dashboard proxy: the member's role. The lower of this and the key's role counts; anything else is owner. */
    "X-Member-Role"?: components["parameters"]["MemberRole"];
    /** @description From a dashboard proxy: the member who acts, written to the audit trail as `actor_id`. Counts with the proxy's secret or an owner's key. */
    "X-Actor-Id"?: components["parameters"]["ActorId"];
    /** @description On requests that write: any text that names this one request, such as a UUID. Sent again with the same key within 24 hours, the request is not done again: the first answer is given again. */
    "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
    /** @description `object` answers `{notes: [...]}`, `attributes`, `rules` and `webhooks`, and gives times of webhooks as ISO texts; `array` is the default. It comes before the style of the key. */
    "X-List-Style"?: components["parameters"]["ListStyle"];
    /** @description Names the request in the service's log and in its answer; one is made up when it is left out. */
    "X-Request-Id"?: components["parameters"]["RequestId"];
}
