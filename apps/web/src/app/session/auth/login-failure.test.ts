import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import auth from '../../../shared/i18n/en/auth.json';
import { loginFailure, loginFailureText } from './login-failure.ts';

const i18n = createInstance();
await i18n.init({ lng: 'en', resources: { en: { auth } }, interpolation: { escapeValue: false } });
const t = i18n.getFixedT('en', 'auth');

describe('what a failed sign-in says', () => {
  test.each([
    [
      { name: 'AuthApiError', status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' },
      'Invalid email or password',
    ],
    [
      { name: 'AuthApiError', status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' },
      'Please confirm your email before logging in',
    ],
    [
      { name: 'AuthApiError', status: 422, code: 'user_banned', message: 'User is banned' },
      'Login failed (AuthApiError, 422, user_banned): User is banned',
    ],
    [{ name: 'AuthUnknownError', message: 'Odd <answer>' }, 'Login failed (AuthUnknownError): Odd <answer>'],
    [
      { name: 'AuthRetryableFetchError', status: 0, message: 'Failed to fetch' },
      'Network error. Please check your connection and try again.',
    ],
    [
      { name: 'AuthRetryableFetchError', status: 503, message: 'Service Unavailable' },
      'Login failed (AuthRetryableFetchError, 503): Service Unavailable',
    ],
    [
      { name: 'AuthInvalidTokenResponseError', status: 500, message: 'Auth session or user missing' },
      'No session returned from server',
    ],
  ])('R8.27 R8.28 R8.29 R8.30 %j', (error, text) => {
    expect(loginFailureText(loginFailure(error), t)).toBe(text);
  });

  test('R8.26 R8.30 what never reached the server has its own sentence', () => {
    expect(loginFailureText({ kind: 'missing' }, t)).toBe('Email and password are required');
    expect(loginFailureText({ kind: 'no_session' }, t)).toBe('No session returned from server');
  });
});
