import type { Catalogue } from './catalogue.ts';
import { RequestFault } from './request-fault.ts';

/** Of whom is asked: a table or view with its columns, or a function with the names of its arguments. */
export type RequestTarget =
  | { kind: 'table'; name: string; columns: Set<string> }
  | { kind: 'function'; name: string; args: Set<string> };

const PATH = /^\/rest\/v1\/(rpc\/)?([A-Za-z_]\w{0,62})\/?$/;
const METHODS = { table: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'], function: ['GET', 'HEAD', 'POST'] };

const SHOWN = 63;

function noTable(name: string): RequestFault {
  return new RequestFault(404, 'PGRST205', `Could not find the table 'public.${name}' in the schema cache`);
}

export function noFunction(name: string, args: Iterable<string>): RequestFault {
  const argumentNames = [...args].slice(0, 20).join(', ').slice(0, 500);
  const message = `Could not find the function public.${name}${argumentNames ? `(${argumentNames})` : ' without parameters'} in the schema cache`;
  return new RequestFault(404, 'PGRST202', message, {
    details: `Searched for the function public.${name} with these parameters, but no matches were found in the schema cache.`,
  });
}

/** @throws {RequestFault} PGRST204 */
export function checkKnown({ name, columns }: Extract<RequestTarget, { kind: 'table' }>, column: string): void {
  if (columns.has(column)) return;
  const message = `Could not find the '${column.slice(0, SHOWN)}' column of '${name}' in the schema cache`;
  throw new RequestFault(400, 'PGRST204', message);
}

/** @throws {RequestFault} PGRST125, PGRST205, PGRST202, PGRST101 (405) */
export function askedIn(method: string, pathname: string, { relations, functions }: Catalogue): RequestTarget {
  const [whole, isFunction, name = ''] = PATH.exec(pathname) ?? [];
  if (whole === undefined) throw new RequestFault(404, 'PGRST125', 'Invalid path specified in request URL');
  const kind = isFunction === undefined ? 'table' : 'function';
  const found = (kind === 'table' ? relations : functions).get(name);
  if (!found) throw kind === 'table' ? noTable(name) : noFunction(name, []);
  if (!METHODS[kind].includes(method)) {
    const code = kind === 'function' ? 'PGRST101' : 'PGRST117';
    throw new RequestFault(405, code, `Cannot use the ${method.slice(0, 10)} method here`);
  }
  return kind === 'table' ? { kind, name, columns: found } : { kind, name, args: found };
}
