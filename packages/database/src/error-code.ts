/** The `code` of a system or database error (`EACCES`, `42501`), or an empty string. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
