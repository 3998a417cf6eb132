/** A mail to one person. */
export type Mail = { to: string; subject: string; text?: string; html?: string };
