import { parentPort, workerData } from 'node:worker_threads';
import { documentProblem } from '@cairn/core/media/document-check.ts';

/** What a document is looked at with; its bytes are handed over, not copied. */
export type DocumentOrder = { bytes: Uint8Array; mime: string };

const { bytes, mime } = workerData as DocumentOrder;
parentPort?.postMessage(await documentProblem(bytes, mime));
