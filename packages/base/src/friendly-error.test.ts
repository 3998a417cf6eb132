import { describe, expect, test } from 'vitest';
import { Failure } from './failure.ts';
import { friendlyCode } from './friendly-error.ts';

describe('friendlyCode', () => {
  test.each([
    ['R8.02', 'JWT expired', 'SESSION_EXPIRED'],
    ['R8.02', 'invalid JWT: signature', 'SESSION_EXPIRED'],
    ['R8.03', 'permission denied for table playbooks', 'PERMISSION_DENIED'],
    ['R8.03', 'blocked by RLS', 'PERMISSION_DENIED'],
    ['R8.03', 'new row violates row-level security policy for table "sites"', 'PERMISSION_DENIED'],
    ['R8.04', 'connection refused', 'NETWORK_ERROR'],
    ['R8.04', 'NetworkError when attempting to fetch resource.', 'NETWORK_ERROR'],
    ['R8.04', 'Failed to fetch', 'NETWORK_ERROR'],
    ['R8.05', 'duplicate key value', 'DUPLICATE_ERROR'],
    ['R8.05', 'violates unique constraint', 'DUPLICATE_ERROR'],
    ['R8.06', 'row not found', 'NOT_FOUND'],
    ['R8.06', 'Request failed with 404', 'NOT_FOUND'],
    ['R8.07', 'User already registered', 'USER_EXISTS'],
    ['R8.08', 'something nobody foresaw', 'UNEXPECTED'],
    ['R8.08', '', 'UNEXPECTED'],
  ] as const)('%s maps "%s" to %s', (_row, message, code) => {
    expect(friendlyCode(new Error(message))).toBe(code);
    expect(friendlyCode({ message })).toBe(code);
    expect(friendlyCode(message)).toBe(code);
  });

  test('when several match, the order of the catalogue decides', () => {
    expect(friendlyCode(new Error('JWT: permission denied, network not found'))).toBe('SESSION_EXPIRED');
    expect(friendlyCode(new Error('permission denied: duplicate key'))).toBe('PERMISSION_DENIED');
    expect(friendlyCode(new Error('network: duplicate'))).toBe('NETWORK_ERROR');
    expect(friendlyCode(new Error('unique row not found'))).toBe('DUPLICATE_ERROR');
  });

  test.each([
    [{ code: '42501', message: 'x' }, 'PERMISSION_DENIED'],
    [{ code: '23505', message: 'x' }, 'DUPLICATE_ERROR'],
    [{ code: 'PGRST301', message: 'x' }, 'SESSION_EXPIRED'],
    [{ code: 'PT401', message: 'x' }, 'SESSION_EXPIRED'],
    [{ status: 404, message: 'x' }, 'NOT_FOUND'],
    [{ code: 'user_already_exists', message: 'x' }, 'USER_EXISTS'],
  ] as const)('a code says as much as words: %j', (error, code) => {
    expect(friendlyCode(error)).toBe(code);
  });

  test.each(['404123 rows', 'room 14042'])('a number that only holds 404 (%s) is no 404', message => {
    expect(friendlyCode(new Error(message))).toBe('UNEXPECTED');
  });

  test('a Failure is told by its code, whatever its message says', () => {
    expect(friendlyCode(new Failure('not_found', 'JWT'))).toBe('NOT_FOUND');
    expect(friendlyCode(new Failure('storage_full', 'network'))).toBe('STORAGE_FULL');
  });

  test.each([undefined, null, 7, {}, []])('R8.08 %s is unexpected', error => {
    expect(friendlyCode(error)).toBe('UNEXPECTED');
  });
});
