import { z } from 'zod';

// Zod would make code from text where it may, and asks by trying: our pages forbid it, and the browser notes each try as an offence.
z.config({ jitless: true });

export { z };
