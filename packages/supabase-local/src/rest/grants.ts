/**
 * At its first request lite 0.10 runs GRANT ALL ON ALL TABLES to anon and authenticated in every schema with row-level
 * security, which undoes each REVOKE of the migrations. Told that this is done, it leaves grants alone; that state also
 * makes it set the role on every request, whereas 'inactive' would run requests as superuser.
 */
export function keepGrants(connection: object): void {
  Object.assign(connection, { rlsState: 'active' });
}
