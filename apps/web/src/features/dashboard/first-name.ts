import type { CurrentUser } from '@cairn/sync/device.ts';

/** The part of an address before the at sign; the private space greets with it (R2.41). */
export const emailName = ({ email }: CurrentUser): string => email.split('@')[0] ?? email;

/** The first name, else the e-mail name (product.md, Q9). */
export const firstName = (user: CurrentUser): string => user.fullName?.trim().split(/\s+/u)[0] || emailName(user);
