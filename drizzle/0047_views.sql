-- From here on the views for other programs are made behind every migration: src/store/sql/views.ts
SELECT 1;
