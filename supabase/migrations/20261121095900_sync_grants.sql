-- Who may call what. Nothing of schema `sync` is reachable through the API, which exposes `public` only.

revoke execute on all functions in schema sync from public;
revoke execute on all functions in schema public from public, anon, authenticated;

-- Words of the generated columns: whoever writes a row computes them.
grant execute on function sync.org_scope(uuid), sync.user_scope(uuid), sync.member_scope(uuid, uuid), sync.place_scope(uuid, uuid),
  sync.scopes(text[]), sync.pushing(), sync.keep_rights(), sync.may(text, uuid), sync.is_finished(text) to authenticated, service_role;

-- What sync_pull and sync_push do under the caller's own rights, and the narrow helpers they call.
grant select on sync.tables to authenticated, service_role;
grant execute on function sync.next_changes(jsonb, uuid, integer), sync.read_rows(text, uuid[], uuid[], text[]),
  sync.mutation_hash(jsonb), sync.claim(uuid, jsonb), sync.known_results(uuid[]), sync.settle(uuid, jsonb, jsonb),
  sync.note_conflict(jsonb, text, jsonb), sync.resolve_conflict(text, text, uuid),
  sync.merge_fields(text[], jsonb, jsonb, jsonb, jsonb, text[]), sync.difference(jsonb, jsonb),
  sync.conflict_result(jsonb, text, jsonb, jsonb), sync.apply_mutation(jsonb),
  sync.fields_of(sync.tables, jsonb), sync.inserted(jsonb, jsonb, text[]), sync.run_length(jsonb, integer, jsonb), sync.insert_run(sync.tables, jsonb),
  sync.update_run(sync.tables, jsonb), sync.plan_update(sync.tables, jsonb, jsonb), sync.apply_run(jsonb), sync.updated(jsonb, jsonb, jsonb, jsonb, text[]),
  sync.refusal(text, text, text, text, text)
  to authenticated;

grant execute on function my_scopes(), my_sites(), my_organizations_with(text), my_administered_playbooks(),
  sync_pull(jsonb, uuid, integer), sync_push(uuid, jsonb), sync_receipt(uuid, uuid, uuid[], timestamptz),
  get_user_organization_contexts(uuid), remove_sample_data(uuid) to authenticated;

grant execute on function media_complete(uuid, text, bigint) to service_role;
