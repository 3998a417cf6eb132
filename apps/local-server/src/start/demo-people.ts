import type { TransactionSql } from 'postgres';

export const DEMO_PASSWORD = 'cairn-demo-1';

/** Fixed ids, since the seed files refer to them. */
export const demoPeople = [
  { id: '00000000-0000-4000-8000-000000000001', email: 'admin@demo.cairn.test', name: 'Alex Admin' },
  { id: '00000000-0000-4000-8000-000000000002', email: 'manager@demo.cairn.test', name: 'Mara Manager' },
  { id: '00000000-0000-4000-8000-000000000003', email: 'worker@demo.cairn.test', name: 'Sam Worker' },
  { id: '00000000-0000-4000-8000-000000000004', email: 'person@demo.cairn.test', name: 'Pia Person' },
];

/** Adds the demo sign-ins the way a sign-up with a confirmed address leaves them. */
export async function addDemoPeople(tx: TransactionSql): Promise<void> {
  const people = demoPeople.map(({ id, email, name }) => ({ id, email, full_name: name, sub: id }));
  await tx`
    with person as (
      select id, email, to_jsonb(p) - 'id' || '{"email_verified":true,"phone_verified":false}' as details
      from jsonb_to_recordset(${JSON.stringify(people)}::text::jsonb) as p (id uuid, email text, full_name text, sub uuid)
    ), account as (
      insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
      select id, email, extensions.crypt(${DEMO_PASSWORD}, extensions.gen_salt('bf', 10)), now(),
             '{"provider":"email","providers":["email"]}', details
      from person
      returning id, raw_user_meta_data
    )
    insert into auth.identities (id, provider, provider_id, user_id, identity_data)
    select gen_random_uuid(), 'email', id::text, id, raw_user_meta_data from account`;
}
