-- Files: how large one may be, said where it is announced and where its bytes come; and what a person wants done with a
-- photo before it is kept.

alter table media add constraint media_size check (bytes <= 262144000);   -- bytes: 250 MiB
update storage.buckets set file_size_limit = 262144000 where id = 'media';

alter table user_preferences
  add column strip_photo_location boolean not null default true,   -- the position a camera writes into a photo is taken out
  add column photo_size           text not null default 'original' -- larger photos are made so large before they are kept
    check (photo_size in ('original', 'large', 'small'));

-- 0007: a changed table has its push functions written anew.
select sync.refresh_table('media');
select sync.refresh_table('user_preferences');
