-- Bounds of what others wrote: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- A form of as many choices as one may have, 50,000, is larger than 2 MB: it may have 4 MB, so that a draft and its version still go up in
-- one request (10 MB).
create function content.bound(p_name text) returns bigint
  language sql immutable parallel safe set search_path = '' return
  ('{
    "markdown_characters": 400000, "markdown_lines": 20000, "markdown_indent": 100, "markdown_nesting": 20, "markdown_run": 200,
    "markdown_cells": 20000, "markdown_work": 20000000,
    "form_bytes": 4000000, "form_items": 5000, "form_name_characters": 200, "form_nesting": 30, "form_repeat_nesting": 4, "form_expression_characters": 10000,
    "form_expression_references": 500, "form_expressions_characters": 500000, "form_expressions_references": 20000, "form_choices": 50000,
    "pack_filled_characters": 2000000}'::jsonb ->> p_name)::bigint;

-- What a parser that looks for the end of each mark has to look at: letters times marks.
create function content.markdown_work(p_unit text) returns bigint
  language sql immutable parallel safe set search_path = '' return
  char_length(p_unit)::bigint * (char_length(p_unit) - char_length(translate(p_unit, '*_~`[]!<&\', '')));

-- One paragraph, heading, item or table, with its lines times its lines. Where each row of a table begins with its line, each cell is a
-- text of its own.
create function content.markdown_unit(p_unit text, out cells bigint, out work bigint)
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  lines text[];
begin
  lines := array(select l from string_to_table(p_unit, E'\n') with ordinality s (l, n) where l <> '' order by n);
  cells := 0;
  -- A list's item is put together line by line, and looked at anew with each.
  work := cardinality(lines)::bigint * cardinality(lines);
  if strpos(p_unit, '|') = 0 then
    work := work + content.markdown_work(p_unit);
    return;
  end if;
  cells := cardinality(lines) * (select max(char_length(l) - char_length(replace(l, '|', ''))) + 1 from unnest(lines) l);
  if strpos(lines[2], '-') > 0 and lines[2] ~ '^ {0,3}\|[ :|-]*$' and not exists (select from unnest(lines) l where l !~ '^ {0,3}\|') then
    work := work + (select sum(content.markdown_work(l)) from unnest(lines) l);
  else
    work := work + content.markdown_work(p_unit);
  end if;
end $$;

-- The first bound a Markdown text is past, or null; packages/core/src/markdown/markdown-bounds.ts says the same.
create function content.markdown_fault(p_text text) returns text
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain constant text := replace(replace(p_text, E'\r\n', E'\n'), E'\r', E'\n');
  cells bigint;
  work bigint;
begin
  if char_length(p_text) > content.bound('markdown_characters') then return 'markdown_characters'; end if;
  if char_length(plain) - char_length(replace(plain, E'\n', '')) + 1 > content.bound('markdown_lines') then return 'markdown_lines'; end if;
  if exists (select from string_to_table(plain, E'\n') l
      where char_length(replace(substring(l from '^[ \t]*'), E'\t', '    ')) > content.bound('markdown_indent')) then return 'markdown_indent'; end if;
  if exists (select from string_to_table(plain, E'\n') l, substring(l from '^(?:[ \t>]|[-*+][ \t]|[0-9]{1,9}[.)][ \t])+') p
      where char_length(p) > content.bound('markdown_nesting')
        and (select count(*) from regexp_matches(p, '>|[-*+][ \t]|[0-9]{1,9}[.)][ \t]', 'g')) > content.bound('markdown_nesting')) then
    return 'markdown_nesting';
  end if;
  if exists (select from string_to_table('*_~`[]!<>()', null) c
      where strpos(plain, repeat(c, content.bound('markdown_run')::integer + 1)) > 0) then return 'markdown_run'; end if;
  select coalesce(sum(m.cells), 0), coalesce(sum(m.work), 0) into cells, work
    from regexp_split_to_table(plain, '\n[ \t]*(?=\n)|\n(?= {0,3}(?:[-*+]|1[.)])[ \t]+[^ \t\n])|\n(?= {0,3}#{1,6}[ \t])') u, content.markdown_unit(u) m;
  if cells > content.bound('markdown_cells') then return 'markdown_cells'; end if;
  if work > content.bound('markdown_work') then return 'markdown_work'; end if;
  return null;
end $$;

-- The first items of an item, or of the form itself: never more than are needed to see that there are too many.
create function content.form_children(p_item jsonb, p_most bigint) returns setof jsonb
  language sql immutable parallel safe set search_path = '' as $$
  select jsonb_path_query(p_item, 'lax $.items[0 to $last]', jsonb_build_object('last', p_most - 1))
  where p_item @? 'strict $.items ? (@.type() == "array")'   -- not by a copy of what is in it
$$;

-- The first bound a form is past and where, or null; packages/core/src/field-ops/form-bounds.ts says the same.
-- Level by level, and no further than the bounds reach: whoever is refused here could write 4 MB of anything. What is kept of an item is
-- its name, once, and where it stands; its path is put together for the one that is at fault. A level fits into the memory it may have,
-- so that nothing is written to the disk.
create function content.form_fault(p_form jsonb, out bound text, out at text)
  language plpgsql immutable parallel safe set search_path = '' set work_mem = '32MB' as $$
declare
  most constant bigint := content.bound('form_items');
  level jsonb[] := array(select content.form_children(p_form, most + 1));
  above integer[] := array_fill(0, array[cardinality(level)]);     -- of each of the level: which of all items it stands in
  around integer[] := above;                                       -- and in how many repeats
  nesting integer := 0;
  all_names text[] := '{}';
  all_above integer[] := '{}';
  part record;
  n integer;
  x text;
  items integer := 0;
  chars bigint := 0;
  names bigint := 0;
  k bigint;
begin
  at := '';
  if octet_length(p_form::text) > content.bound('form_bytes') then bound := 'form_bytes'; return; end if;
  <<walk>>
  while cardinality(level) > 0 loop
    for part in
      select l.above, coalesce(l.item ->> 'name', '') as name, coalesce(l.item @? 'strict $.items ? (@.type() == "array")', false) as is_group,
        l.around + coalesce(l.item ->> 'type' = 'repeat', false)::integer as repeats,
        array(select v #>> '{}' from (values (l.item -> 'relevant'), (l.item -> 'required'), (l.item -> 'constraint'), (l.item -> 'calculation'),
            (l.item -> 'default_expression'), (l.item -> 'choice_filter'), (l.item -> 'count'), (l.item #> '{scoring,fail_when}')) f (v)
            where jsonb_typeof(v) = 'string'
          union all select r ->> 'when' from jsonb_array_elements(case jsonb_typeof(l.item -> 'rules') when 'array' then l.item -> 'rules' else '[]' end) r
            where jsonb_typeof(r -> 'when') = 'string') as expressions
      from unnest(level, above, around) with ordinality as l (item, above, around, nth) order by l.nth
    loop
      items := items + 1;
      all_names := all_names || left(part.name, content.bound('form_name_characters')::integer);
      all_above := all_above || part.above;
      if items > most then bound := 'form_items';
      elsif nesting + part.is_group::integer > content.bound('form_nesting') then bound := 'form_nesting';
      elsif part.repeats > content.bound('form_repeat_nesting') then bound := 'form_repeat_nesting';
      elsif char_length(part.name) > content.bound('form_name_characters') then bound := 'form_name_characters'; end if;
      exit walk when bound is not null;
      foreach x in array part.expressions loop
        k := (char_length(x) - char_length(replace(x, '${', ''))) / 2;
        chars := chars + char_length(x);
        names := names + k;
        if char_length(x) > content.bound('form_expression_characters') then bound := 'form_expression_characters';
        elsif k > content.bound('form_expression_references') then bound := 'form_expression_references';
        elsif chars > content.bound('form_expressions_characters') then bound := 'form_expressions_characters';
        elsif names > content.bound('form_expressions_references') then bound := 'form_expressions_references'; end if;
        exit walk when bound is not null;
      end loop;
    end loop;
    n := items - cardinality(level);
    select coalesce(array_agg(c.child order by c.nth, c.place), '{}'), coalesce(array_agg(n + c.nth::integer order by c.nth, c.place), '{}'),
        coalesce(array_agg(c.repeats order by c.nth, c.place), '{}')
      into level, above, around
      from (
        select e.child, l.nth, e.place, l.repeats + coalesce(l.item ->> 'type' = 'repeat', false)::integer as repeats
        from unnest(level, around) with ordinality as l (item, repeats, nth),
          lateral content.form_children(l.item, most + 1 - items) with ordinality as e (child, place)
        limit most + 1 - items) c;
    nesting := nesting + 1;
  end loop;
  if bound is not null then
    n := items;
    while n > 0 loop
      at := concat_ws('.', all_names[n], nullif(at, ''));
      n := all_above[n];
    end loop;
    return;
  end if;
  if jsonb_typeof(p_form -> 'choice_lists') = 'object' and (select coalesce(sum(jsonb_array_length(case jsonb_typeof(l.value) when 'array' then l.value else '[]' end)), 0)
      from jsonb_each(p_form -> 'choice_lists') l) > content.bound('form_choices') then bound := 'form_choices'; end if;
end $$;

-- One line that says what it seems to say: no controls, no format characters, nothing that turns direction or cannot be seen, no more
-- than four marks on a letter. packages/base/src/one-line.ts says the same; a test compares them.
-- Names that others read: characters that draw nothing are more than the first list knew, and marks pile up in every script. Marks that
-- reach above and below a line are four on a letter at most, those of a script that needs more are eight.
-- The list of marks is packages/base/src/combining-marks.ts.
create function content.one_line(p_text text, p_length integer default 200) returns text
  language sql immutable parallel safe set search_path = '' as $$
  select btrim(left(btrim(regexp_replace(regexp_replace(regexp_replace(regexp_replace(p_text,
    '[\u0001-\u0008\u000E-\u001B\u007F-\u0084\u0086-\u009F\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFC\U000110BD\U000110CD\U00013430-\U0001343F\U00016FE4\U0001BCA0-\U0001BCA3\U0001D159\U0001D173-\U0001D17A\U000E0000-\U000E0FFF\U000F0000-\U0010FFFF]', '', 'g'),
    '[\u0009-\u000D\u001C-\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g'),
    '([\u0300-\u034E\u0350-\u036F\u0483-\u0489\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]{4})[\u0300-\u034E\u0350-\u036F\u0483-\u0489\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]+', '\1', 'g'),
    '([\u0300-\u034E\u0350-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u0903\u093A-\u093C\u093E-\u094F\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09BC\u09BE-\u09C4\u09C7-\u09C8\u09CB-\u09CD\u09D7\u09E2-\u09E3\u09FE\u0A01-\u0A03\u0A3C\u0A3E-\u0A42\u0A47-\u0A48\u0A4B-\u0A4D\u0A51\u0A70-\u0A71\u0A75\u0A81-\u0A83\u0ABC\u0ABE-\u0AC5\u0AC7-\u0AC9\u0ACB-\u0ACD\u0AE2-\u0AE3\u0AFA-\u0AFF\u0B01-\u0B03\u0B3C\u0B3E-\u0B44\u0B47-\u0B48\u0B4B-\u0B4D\u0B55-\u0B57\u0B62-\u0B63\u0B82\u0BBE-\u0BC2\u0BC6-\u0BC8\u0BCA-\u0BCD\u0BD7\u0C00-\u0C04\u0C3C\u0C3E-\u0C44\u0C46-\u0C48\u0C4A-\u0C4D\u0C55-\u0C56\u0C62-\u0C63\u0C81-\u0C83\u0CBC\u0CBE-\u0CC4\u0CC6-\u0CC8\u0CCA-\u0CCD\u0CD5-\u0CD6\u0CE2-\u0CE3\u0CF3\u0D00-\u0D03\u0D3B-\u0D3C\u0D3E-\u0D44\u0D46-\u0D48\u0D4A-\u0D4D\u0D57\u0D62-\u0D63\u0D81-\u0D83\u0DCA\u0DCF-\u0DD4\u0DD6\u0DD8-\u0DDF\u0DF2-\u0DF3\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE\u0F18-\u0F19\u0F35\u0F37\u0F39\u0F3E-\u0F3F\u0F71-\u0F84\u0F86-\u0F87\u0F8D-\u0F97\u0F99-\u0FBC\u0FC6\u102B-\u103E\u1056-\u1059\u105E-\u1060\u1062-\u1064\u1067-\u106D\u1071-\u1074\u1082-\u108D\u108F\u109A-\u109D\u135D-\u135F\u1712-\u1715\u1732-\u1734\u1752-\u1753\u1772-\u1773\u17B6-\u17D3\u17DD\u1885-\u1886\u18A9\u1920-\u192B\u1930-\u193B\u1A17-\u1A1B\u1A55-\u1A5E\u1A60-\u1A7C\u1A7F\u1AB0-\u1ADD\u1AE0-\u1AEB\u1B00-\u1B04\u1B34-\u1B44\u1B6B-\u1B73\u1B80-\u1B82\u1BA1-\u1BAD\u1BE6-\u1BF3\u1C24-\u1C37\u1CD0-\u1CD2\u1CD4-\u1CE8\u1CED\u1CF4\u1CF7-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF\u302A-\u302F\u3099-\u309A\uA66F-\uA672\uA674-\uA67D\uA69E-\uA69F\uA6F0-\uA6F1\uA802\uA806\uA80B\uA823-\uA827\uA82C\uA880-\uA881\uA8B4-\uA8C5\uA8E0-\uA8F1\uA8FF\uA926-\uA92D\uA947-\uA953\uA980-\uA983\uA9B3-\uA9C0\uA9E5\uAA29-\uAA36\uAA43\uAA4C-\uAA4D\uAA7B-\uAA7D\uAAB0\uAAB2-\uAAB4\uAAB7-\uAAB8\uAABE-\uAABF\uAAC1\uAAEB-\uAAEF\uAAF5-\uAAF6\uABE3-\uABEA\uABEC-\uABED\uFB1E\uFE20-\uFE2F\U000101FD\U000102E0\U00010376-\U0001037A\U00010A01-\U00010A03\U00010A05-\U00010A06\U00010A0C-\U00010A0F\U00010A38-\U00010A3A\U00010A3F\U00010AE5-\U00010AE6\U00010D24-\U00010D27\U00010D69-\U00010D6D\U00010EAB-\U00010EAC\U00010EFA-\U00010EFF\U00010F46-\U00010F50\U00010F82-\U00010F85\U00011000-\U00011002\U00011038-\U00011046\U00011070\U00011073-\U00011074\U0001107F-\U00011082\U000110B0-\U000110BA\U000110C2\U00011100-\U00011102\U00011127-\U00011134\U00011145-\U00011146\U00011173\U00011180-\U00011182\U000111B3-\U000111C0\U000111C9-\U000111CC\U000111CE-\U000111CF\U0001122C-\U00011237\U0001123E\U00011241\U000112DF-\U000112EA\U00011300-\U00011303\U0001133B-\U0001133C\U0001133E-\U00011344\U00011347-\U00011348\U0001134B-\U0001134D\U00011357\U00011362-\U00011363\U00011366-\U0001136C\U00011370-\U00011374\U000113B8-\U000113C0\U000113C2\U000113C5\U000113C7-\U000113CA\U000113CC-\U000113D0\U000113D2\U000113E1-\U000113E2\U00011435-\U00011446\U0001145E\U000114B0-\U000114C3\U000115AF-\U000115B5\U000115B8-\U000115C0\U000115DC-\U000115DD\U00011630-\U00011640\U000116AB-\U000116B7\U0001171D-\U0001172B\U0001182C-\U0001183A\U00011930-\U00011935\U00011937-\U00011938\U0001193B-\U0001193E\U00011940\U00011942-\U00011943\U000119D1-\U000119D7\U000119DA-\U000119E0\U000119E4\U00011A01-\U00011A0A\U00011A33-\U00011A39\U00011A3B-\U00011A3E\U00011A47\U00011A51-\U00011A5B\U00011A8A-\U00011A99\U00011B60-\U00011B67\U00011C2F-\U00011C36\U00011C38-\U00011C3F\U00011C92-\U00011CA7\U00011CA9-\U00011CB6\U00011D31-\U00011D36\U00011D3A\U00011D3C-\U00011D3D\U00011D3F-\U00011D45\U00011D47\U00011D8A-\U00011D8E\U00011D90-\U00011D91\U00011D93-\U00011D97\U00011EF3-\U00011EF6\U00011F00-\U00011F01\U00011F03\U00011F34-\U00011F3A\U00011F3E-\U00011F42\U00011F5A\U00013440\U00013447-\U00013455\U0001611E-\U0001612F\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016F4F\U00016F51-\U00016F87\U00016F8F-\U00016F92\U00016FE4\U00016FF0-\U00016FF1\U0001BC9D-\U0001BC9E\U0001CF00-\U0001CF2D\U0001CF30-\U0001CF46\U0001D165-\U0001D169\U0001D16D-\U0001D172\U0001D17B-\U0001D182\U0001D185-\U0001D18B\U0001D1AA-\U0001D1AD\U0001D242-\U0001D244\U0001DA00-\U0001DA36\U0001DA3B-\U0001DA6C\U0001DA75\U0001DA84\U0001DA9B-\U0001DA9F\U0001DAA1-\U0001DAAF\U0001E000-\U0001E006\U0001E008-\U0001E018\U0001E01B-\U0001E021\U0001E023-\U0001E024\U0001E026-\U0001E02A\U0001E08F\U0001E130-\U0001E136\U0001E2AE\U0001E2EC-\U0001E2EF\U0001E4EC-\U0001E4EF\U0001E5EE-\U0001E5EF\U0001E6E3\U0001E6E6\U0001E6EE-\U0001E6EF\U0001E6F5\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A]{8})[\u0300-\u034E\u0350-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u0903\u093A-\u093C\u093E-\u094F\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09BC\u09BE-\u09C4\u09C7-\u09C8\u09CB-\u09CD\u09D7\u09E2-\u09E3\u09FE\u0A01-\u0A03\u0A3C\u0A3E-\u0A42\u0A47-\u0A48\u0A4B-\u0A4D\u0A51\u0A70-\u0A71\u0A75\u0A81-\u0A83\u0ABC\u0ABE-\u0AC5\u0AC7-\u0AC9\u0ACB-\u0ACD\u0AE2-\u0AE3\u0AFA-\u0AFF\u0B01-\u0B03\u0B3C\u0B3E-\u0B44\u0B47-\u0B48\u0B4B-\u0B4D\u0B55-\u0B57\u0B62-\u0B63\u0B82\u0BBE-\u0BC2\u0BC6-\u0BC8\u0BCA-\u0BCD\u0BD7\u0C00-\u0C04\u0C3C\u0C3E-\u0C44\u0C46-\u0C48\u0C4A-\u0C4D\u0C55-\u0C56\u0C62-\u0C63\u0C81-\u0C83\u0CBC\u0CBE-\u0CC4\u0CC6-\u0CC8\u0CCA-\u0CCD\u0CD5-\u0CD6\u0CE2-\u0CE3\u0CF3\u0D00-\u0D03\u0D3B-\u0D3C\u0D3E-\u0D44\u0D46-\u0D48\u0D4A-\u0D4D\u0D57\u0D62-\u0D63\u0D81-\u0D83\u0DCA\u0DCF-\u0DD4\u0DD6\u0DD8-\u0DDF\u0DF2-\u0DF3\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE\u0F18-\u0F19\u0F35\u0F37\u0F39\u0F3E-\u0F3F\u0F71-\u0F84\u0F86-\u0F87\u0F8D-\u0F97\u0F99-\u0FBC\u0FC6\u102B-\u103E\u1056-\u1059\u105E-\u1060\u1062-\u1064\u1067-\u106D\u1071-\u1074\u1082-\u108D\u108F\u109A-\u109D\u135D-\u135F\u1712-\u1715\u1732-\u1734\u1752-\u1753\u1772-\u1773\u17B6-\u17D3\u17DD\u1885-\u1886\u18A9\u1920-\u192B\u1930-\u193B\u1A17-\u1A1B\u1A55-\u1A5E\u1A60-\u1A7C\u1A7F\u1AB0-\u1ADD\u1AE0-\u1AEB\u1B00-\u1B04\u1B34-\u1B44\u1B6B-\u1B73\u1B80-\u1B82\u1BA1-\u1BAD\u1BE6-\u1BF3\u1C24-\u1C37\u1CD0-\u1CD2\u1CD4-\u1CE8\u1CED\u1CF4\u1CF7-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF\u302A-\u302F\u3099-\u309A\uA66F-\uA672\uA674-\uA67D\uA69E-\uA69F\uA6F0-\uA6F1\uA802\uA806\uA80B\uA823-\uA827\uA82C\uA880-\uA881\uA8B4-\uA8C5\uA8E0-\uA8F1\uA8FF\uA926-\uA92D\uA947-\uA953\uA980-\uA983\uA9B3-\uA9C0\uA9E5\uAA29-\uAA36\uAA43\uAA4C-\uAA4D\uAA7B-\uAA7D\uAAB0\uAAB2-\uAAB4\uAAB7-\uAAB8\uAABE-\uAABF\uAAC1\uAAEB-\uAAEF\uAAF5-\uAAF6\uABE3-\uABEA\uABEC-\uABED\uFB1E\uFE20-\uFE2F\U000101FD\U000102E0\U00010376-\U0001037A\U00010A01-\U00010A03\U00010A05-\U00010A06\U00010A0C-\U00010A0F\U00010A38-\U00010A3A\U00010A3F\U00010AE5-\U00010AE6\U00010D24-\U00010D27\U00010D69-\U00010D6D\U00010EAB-\U00010EAC\U00010EFA-\U00010EFF\U00010F46-\U00010F50\U00010F82-\U00010F85\U00011000-\U00011002\U00011038-\U00011046\U00011070\U00011073-\U00011074\U0001107F-\U00011082\U000110B0-\U000110BA\U000110C2\U00011100-\U00011102\U00011127-\U00011134\U00011145-\U00011146\U00011173\U00011180-\U00011182\U000111B3-\U000111C0\U000111C9-\U000111CC\U000111CE-\U000111CF\U0001122C-\U00011237\U0001123E\U00011241\U000112DF-\U000112EA\U00011300-\U00011303\U0001133B-\U0001133C\U0001133E-\U00011344\U00011347-\U00011348\U0001134B-\U0001134D\U00011357\U00011362-\U00011363\U00011366-\U0001136C\U00011370-\U00011374\U000113B8-\U000113C0\U000113C2\U000113C5\U000113C7-\U000113CA\U000113CC-\U000113D0\U000113D2\U000113E1-\U000113E2\U00011435-\U00011446\U0001145E\U000114B0-\U000114C3\U000115AF-\U000115B5\U000115B8-\U000115C0\U000115DC-\U000115DD\U00011630-\U00011640\U000116AB-\U000116B7\U0001171D-\U0001172B\U0001182C-\U0001183A\U00011930-\U00011935\U00011937-\U00011938\U0001193B-\U0001193E\U00011940\U00011942-\U00011943\U000119D1-\U000119D7\U000119DA-\U000119E0\U000119E4\U00011A01-\U00011A0A\U00011A33-\U00011A39\U00011A3B-\U00011A3E\U00011A47\U00011A51-\U00011A5B\U00011A8A-\U00011A99\U00011B60-\U00011B67\U00011C2F-\U00011C36\U00011C38-\U00011C3F\U00011C92-\U00011CA7\U00011CA9-\U00011CB6\U00011D31-\U00011D36\U00011D3A\U00011D3C-\U00011D3D\U00011D3F-\U00011D45\U00011D47\U00011D8A-\U00011D8E\U00011D90-\U00011D91\U00011D93-\U00011D97\U00011EF3-\U00011EF6\U00011F00-\U00011F01\U00011F03\U00011F34-\U00011F3A\U00011F3E-\U00011F42\U00011F5A\U00013440\U00013447-\U00013455\U0001611E-\U0001612F\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016F4F\U00016F51-\U00016F87\U00016F8F-\U00016F92\U00016FE4\U00016FF0-\U00016FF1\U0001BC9D-\U0001BC9E\U0001CF00-\U0001CF2D\U0001CF30-\U0001CF46\U0001D165-\U0001D169\U0001D16D-\U0001D172\U0001D17B-\U0001D182\U0001D185-\U0001D18B\U0001D1AA-\U0001D1AD\U0001D242-\U0001D244\U0001DA00-\U0001DA36\U0001DA3B-\U0001DA6C\U0001DA75\U0001DA84\U0001DA9B-\U0001DA9F\U0001DAA1-\U0001DAAF\U0001E000-\U0001E006\U0001E008-\U0001E018\U0001E01B-\U0001E021\U0001E023-\U0001E024\U0001E026-\U0001E02A\U0001E08F\U0001E130-\U0001E136\U0001E2AE\U0001E2EC-\U0001E2EF\U0001E4EC-\U0001E4EF\U0001E5EE-\U0001E5EF\U0001E6E3\U0001E6E6\U0001E6EE-\U0001E6EF\U0001E6F5\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A]+', '\1', 'g'),
    ' '), p_length), ' ')
$$;

-- Who may call what.
revoke execute on function content.bound(text), content.markdown_work(text), content.markdown_unit(text), content.markdown_fault(text),
  content.form_children(jsonb, bigint), content.form_fault(jsonb), content.one_line(text, integer) from public;
