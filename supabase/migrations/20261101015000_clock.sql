-- What the platform's clock calls, where it has one. The server that comes with the app calls the same (apps/local-server).

do $$
begin
  if not exists (select from pg_extension where extname = 'pg_cron') then return; end if;
  execute $cron$ select cron.schedule('cairn-inbox-sweep', '* * * * *', 'select inbox.sweep()') $cron$;
  execute $cron$ select cron.schedule('cairn-ended-rights', '* * * * *', 'select access.nudge_ended_memberships()') $cron$;
  execute $cron$ select cron.schedule('cairn-occurrences', '* * * * *', 'select schedule.sweep_occurrences()') $cron$;
  execute $cron$ select cron.schedule('cairn-acknowledgements', '* * * * *', 'select policy.sweep_acknowledgements()') $cron$;
  execute $cron$ select cron.schedule('cairn-tasks', '* * * * *', 'select inbox.sweep_tasks()') $cron$;
  execute $cron$ select cron.schedule('cairn-growth', '* * * * *', 'select growth.sweep_growth()') $cron$;
  execute $cron$ select cron.schedule('cairn-evidence', '* * * * *', 'select compliance.sweep_evidence()') $cron$;
  execute $cron$ select cron.schedule('cairn-actions', '* * * * *', 'select inbox.sweep_actions()') $cron$;
  execute $cron$ select cron.schedule('cairn-cohorts', '17 * * * *', 'select cohort.sweep_cohorts()') $cron$;
  execute $cron$ select cron.schedule('cairn-briefs', '37 * * * *', 'select brief.sweep_briefs()') $cron$;
  execute $cron$ select cron.schedule('cairn-workflows', '* * * * *', 'select workflow.note_overdue(), workflow.sweep()') $cron$;
  execute $cron$ select cron.schedule('cairn-workflows-tidy', '47 * * * *', 'select workflow.tidy()') $cron$;
  execute $cron$ select cron.schedule('cairn-approvals', '* * * * *', 'select inbox.sweep_approvals()') $cron$;
  execute $cron$ select cron.schedule('cairn-sessions', '* * * * *', 'select circle.sweep_sessions()') $cron$;
  execute $cron$ select cron.schedule('cairn-questionnaires', '* * * * *', 'select growth.sweep_questionnaires()') $cron$;
  execute $cron$ select cron.schedule('cairn-rates', '* * * * *', 'select rates.sweep()') $cron$;
  execute $cron$ select cron.schedule('cairn-snapshot-pages', '* * * * *', 'call sync.make_snapshot_pages()') $cron$;
end $$;
