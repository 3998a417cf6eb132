-- Only for the benchmark: what the RxDB plugin replicates. One table per repetition, so that its queries never meet
-- the rows of another. Columns and content as action_items (media_ids as text: the plugin cannot update arrays), with
-- the plugin's two columns, an index for its order, and the reading and writing rights of the organisation's members.

create function public.bench_modified() returns trigger language plpgsql as $$
begin
  -- Milliseconds: the plugin keeps this as its checkpoint, and JSON dates end there.
  new._modified := date_trunc('milliseconds', clock_timestamp());
  return new;
end $$;

do $$
declare
  name text;
begin
  for n in 0..20 loop
    name := 'bench_items_' || n;
    execute format($ddl$
      create table public.%1$I (
        id uuid primary key default gen_random_uuid(),
        organization_id uuid not null, site_id uuid, playbook_id uuid,
        title text not null, description text, status text not null, priority text not null,
        due_at timestamptz, assignee_id uuid, source_type text, source_id uuid, source_question text, asset_id uuid,
        media_ids text, created_by uuid, closed_at timestamptz, closed_by uuid,
        created_at timestamptz, updated_at timestamptz, deleted_at timestamptz, version bigint,
        _deleted boolean not null default false,
        _modified timestamptz not null
      );
      create index on public.%1$I (_modified, id);
      create trigger modified before insert or update on public.%1$I
        for each row execute function public.bench_modified();
      alter table public.%1$I enable row level security;
      revoke all on public.%1$I from anon, authenticated;
      grant select, insert, update on public.%1$I to authenticated;
      create policy "members read" on public.%1$I for select to authenticated
        using (organization_id in (select my_organizations_with('action.work')));
      create policy "members add" on public.%1$I for insert to authenticated
        with check (organization_id in (select my_organizations_with('action.work')));
      create policy "members edit" on public.%1$I for update to authenticated
        using (organization_id in (select my_organizations_with('action.work')));
    $ddl$, name);
  end loop;
end $$;
