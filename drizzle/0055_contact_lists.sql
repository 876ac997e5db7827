-- The views show both lists of contacts of older leads, too: src/store/sql/views.ts
SELECT 1;
