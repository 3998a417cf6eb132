/** As much of PouchDB's interface as the benchmark uses; the package brings no types. */
declare module 'pouchdb-browser' {
  export type Doc = Record<string, unknown> & { _id: string; _rev?: string; _conflicts?: string[] };
  type Replication = Promise<{ docs_written: number }>;
  type Rows = { rows: { doc: Doc }[] };

  export default class PouchDB {
    constructor(name: string, options?: { fetch?: typeof fetch; skip_setup?: boolean });
    get(id: string, options?: { conflicts?: boolean; rev?: string }): Promise<Doc>;
    put(doc: Doc): Promise<unknown>;
    allDocs(options: { include_docs: true; conflicts?: boolean }): Promise<Rows>;
    replicate: {
      to(remote: PouchDB, options: { batch_size: number }): Replication;
      from(remote: PouchDB, options: { batch_size: number }): Replication;
    };
  }
}
