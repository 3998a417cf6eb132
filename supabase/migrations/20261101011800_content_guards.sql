-- Bounds of what others wrote: guards and what else triggers do.

-- A form or a draft of one that is written anew.
create function content.guard_form() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fault record;
begin
  if new.definition is null or tg_op = 'UPDATE' and new.definition is not distinct from old.definition then return new; end if;
  fault := content.form_fault(new.definition);
  if fault.bound is not null then
    raise exception 'this form is past a bound: % %', fault.bound, fault.at using errcode = '23514', constraint = fault.bound, hint = fault.bound, detail = 'CN245';
  end if;
  return new;
end $$;

-- Words that are written anew, or filled in. Those of a file are not shown as Markdown: the file is.
create function content.guard_text() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fault text;
begin
  if new.file is not null or tg_op = 'UPDATE' and (new.body, new.file) is not distinct from (old.body, old.file)
    -- What was written before there were bounds is judged when it is to be read by others.
    and (new.state = old.state or new.state not in ('in_review', 'published') or old.state not in ('draft', 'change_requested')) then return new; end if;
  fault := content.markdown_fault(new.body);
  if fault is not null then
    raise exception 'this text is past a bound: %', fault using errcode = '23514', constraint = fault, hint = fault, detail = 'CN246';
  end if;
  return new;
end $$;

-- Who may call what.
revoke execute on function content.guard_form(), content.guard_text() from public;
