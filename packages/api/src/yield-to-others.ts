/** Lets what waits in this process be answered before the next piece of a long work. */
export const yieldToOthers = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0));
