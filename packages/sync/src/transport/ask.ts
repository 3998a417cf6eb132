/** What asks the network: `fetch`, or one that does something before or after it. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
