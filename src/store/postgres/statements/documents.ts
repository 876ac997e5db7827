// Documents of leads as they are stored: whoever reads one completes it by its shape.

/** Columns of a `SingleLead`, which completes its document itself; `s` is its score. */
export const LEAD = "l.rid AS ref, l.data AS text, l.shape, s.activity AS done, s.score, s.version"

/** The document of a `ListedLead` as UTF-8: lists are passed on as bytes, never as strings. */
export const LISTED_DOCUMENT = "convert_to(l.data, 'UTF8') AS document, l.shape"

/** Columns of a `ListedLead`. */
export const LISTED = `l.rid AS ref, ${LISTED_DOCUMENT}, s.activity AS done, s.score`
