import { Hono } from 'hono';
import type { BackendAccess } from '../backend-access.ts';
import { deleteAccount } from './delete.ts';
import { exportPerson } from './export.ts';

/** A person's own account: everything about them, and its end. */
export const accountRoutes = (access: BackendAccess): Hono =>
  new Hono().get('/export', c => exportPerson(c, access)).post('/delete', c => deleteAccount(c, access));
