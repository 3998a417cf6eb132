-- A form of as many choices as one may have, 50,000, is larger than 2 MB: it may have 4 MB, so that a draft and its version still go up in
-- one request (10 MB).
create or replace function content.bound(p_name text) returns bigint
  language sql immutable parallel safe set search_path = '' return
  ('{
    "markdown_characters": 400000, "markdown_lines": 20000, "markdown_indent": 100, "markdown_nesting": 20, "markdown_run": 200,
    "markdown_cells": 20000, "markdown_work": 20000000,
    "form_bytes": 4000000, "form_items": 5000, "form_nesting": 30, "form_repeat_nesting": 4, "form_expression_characters": 10000,
    "form_expression_references": 500, "form_expressions_characters": 500000, "form_expressions_references": 20000, "form_choices": 50000,
    "pack_filled_characters": 2000000}'::jsonb ->> p_name)::bigint;
