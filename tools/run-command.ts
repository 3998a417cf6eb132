import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ROOT } from './root.ts';

export type CommandResult = { code: number; output: string };

/**
 * Runs a command from the clone's root with the pinned Node and node_modules/.bin first on the PATH.
 *
 * @param echo whether its output is shown while it runs; it is collected either way
 */
export function runCommand(
  command: string,
  args: string[],
  options: { echo?: boolean; env?: Record<string, string> } = {},
): Promise<CommandResult> {
  const path = [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path, FORCE_COLOR: '0', ...options.env },
  });
  const chunks: string[] = [];
  const take = (chunk: Buffer) => {
    chunks.push(chunk.toString());
    if (options.echo) process.stdout.write(chunk);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code: code ?? 1, output: chunks.join('') }));
  });
}
