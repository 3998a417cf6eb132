/** What asks the network: `fetch`, or one that does something before or after it. */
export type Ask = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
