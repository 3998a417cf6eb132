-- Characters that show nothing say nothing: a text of them alone is none, and none of them stands before what is said
-- (blank and default-ignorable characters of Unicode 16; the same set is in packages/core/src/issue-reports/plain-text.ts).
create or replace function intake.plain(p_text text) returns text
  language sql immutable set search_path = '' as $$
  select nullif(btrim(regexp_replace(
    regexp_replace(p_text, '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]', '', 'g'),
    '^[\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+',
    ''), E' \n\t'), '')
$$;
