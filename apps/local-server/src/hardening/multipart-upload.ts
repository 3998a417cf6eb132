const OBJECT = /^\/storage\/v1\/object\//;

const isUpload = (request: Request) =>
  (request.method === 'POST' || request.method === 'PUT') &&
  OBJECT.test(new URL(request.url).pathname) &&
  (request.headers.get('Content-Type') ?? '').startsWith('multipart/form-data');

function fileIn(form: FormData): File | null {
  for (const value of form.values()) if (typeof value !== 'string') return value;
  return null;
}

/**
 * supabase-js sends a Blob or File as a form whose file field has no name; lite 0.10 looks for one named "file" (and on
 * PUT stores the form itself). The form is unpacked into the plain upload it stands for.
 */
export async function unpackUpload(request: Request): Promise<Request> {
  if (!isUpload(request)) return request;
  const form = await request.formData();
  const file = fileIn(form);
  const headers = new Headers(request.headers);
  headers.delete('Content-Length');
  headers.set('Content-Type', file?.type || 'application/octet-stream');
  const maxAge = form.get('cacheControl');
  if (typeof maxAge === 'string') headers.set('Cache-Control', `max-age=${maxAge}`);
  const body = file ? await file.arrayBuffer() : new ArrayBuffer(0);
  headers.set('Content-Length', String(body.byteLength));
  return new Request(request.url, { method: request.method, headers, body });
}
