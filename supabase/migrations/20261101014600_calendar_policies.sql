-- Calendar feeds: who sees and writes which rows.

alter table calendar.feed enable row level security;
