/** What `prepare` made ready before the first journey, told to the processes of the test runner by their environment. */
const DATA = 'CAIRN_E2E_PREPARED';
const INSTALLED = 'CAIRN_E2E_INSTALLED';

/** A port at which the server of a runner's process listens, and a browser's profile in which the app of that address is installed. */
export type InstalledApp = { port: number; profile: string };

export const keepPrepared = (data: string, installed: readonly InstalledApp[]): void => {
  process.env[DATA] = data;
  process.env[INSTALLED] = JSON.stringify(installed);
};

/** The data folder a first start leaves behind. */
export const preparedData = (): string | undefined => process.env[DATA];

/** Processes of the runner have a number each, from 0; the process that starts them has none. */
function own(): InstalledApp | undefined {
  const index = process.env['TEST_PARALLEL_INDEX'];
  if (index === undefined) return undefined;
  return (JSON.parse(process.env[INSTALLED] ?? '[]') as InstalledApp[])[Number(index)];
}

export const installedPort = (): number | undefined => own()?.port;
export const installedProfile = (): string | undefined => own()?.profile;
