#!/usr/bin/env node
// The one door for every verb: `node tools/bootstrap.mjs <verb>`. Runs on any Node >= 20 with nothing installed:
// installs what the lock file says when it is absent or stale, then hands over to tools/<verb>.ts under the pinned Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.cairn-installed');
const VERBS = [
  'start',
  'test',
  'dev',
  'build',
  'check',
  'gen',
  'new-feature',
  'bench',
  'soak',
  'soak:media',
  'soak:mutants',
  'import:try',
  'tour',
  'bench:shell',
  'bench:form',
  'bench:growth',
  'bench:tasks',
  'bench:policies',
  'bench:peers',
  'ui',
  'restored',
  'requirements',
];

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function major(version) {
  return Number(version.replace(/^v/, '').split('.')[0]);
}

/** What the installed tree must match: lock file, platform. */
function wantedStamp() {
  const lock = readFileSync(join(ROOT, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
}

function installedStamp() {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
}

function npmCommand() {
  const cli = process.env.npm_execpath;
  if (cli && existsSync(cli) && cli.endsWith('.js')) return [process.execPath, [cli]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
}

function install() {
  console.log('Installing packages (about a minute, once) …');
  const [command, prefix] = npmCommand();
  // Not `npm ci`: it refuses a lock file in which a registry had no build of some optional platform package (docs/gotchas.md).
  const args = [...prefix, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  const result = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.status !== 0)
    fail('Packages could not be installed: see the npm error above, then run the command again.');
  mkdirSync(MODULES, { recursive: true });
  writeFileSync(STAMP, wantedStamp());
}

/** The pinned Node from npm; the system's own serves when it is new enough. */
function pinnedNode() {
  const name = `node-${process.platform}-${process.arch}`;
  for (const path of [join(MODULES, name, 'bin', 'node'), join(MODULES, name, 'bin', 'node.exe')]) {
    if (existsSync(path)) return path;
  }
  if (major(process.version) >= 24) return process.execPath;
  return fail(`Cairn needs Node 24 and npm has no ${name}: install Node 24 or newer, then run the command again.`);
}

function ready() {
  if (major(process.version) < 20) fail(`Cairn needs Node 20 or newer to start; this is ${process.version}.`);
  if (!existsSync(join(ROOT, 'package-lock.json'))) fail('package-lock.json is missing: this is not a complete clone.');
  if (installedStamp() !== wantedStamp()) install();
  const node = pinnedNode();
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (version.status !== 0 || major(version.stdout) < 24) {
    rmSync(STAMP, { force: true });
    fail(`The pinned Node at ${node} does not run here. Delete node_modules and run the command again.`);
  }
  return node;
}

/** The parent of a process, where the system tells (Linux); the name of a program may hold spaces and parentheses. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    // Not Linux, or the process is gone: the parent's own pid then has to do.
    return undefined;
  }
}

/** Who started us: npm stands behind a shell of its own, and killing npm leaves that shell running. */
const callers = () => `${process.ppid} ${parentOf(process.ppid)}`;

/** Runs the verb and dies with it; also when whoever started us is killed without a word. */
function run(node, verb, args) {
  const script = join(ROOT, 'tools', `${verb.replace(':', '-')}.ts`);
  const path = [dirname(node), join(MODULES, '.bin'), process.env.PATH].join(delimiter);
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      // What Node made of a source file is kept: a start saves a third of its work.
      NODE_COMPILE_CACHE: join(MODULES, '.cache', 'node'),
      ...process.env,
      PATH: path,
      CAIRN_CALLED_FROM: process.env.INIT_CWD ?? process.cwd(),
    },
  });
  const before = callers();
  const watch = setInterval(() => callers() !== before && child.kill('SIGTERM'), 1000);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    clearInterval(watch);
    process.exit(code ?? (signal === 'SIGTERM' || signal === 'SIGINT' ? 0 : 1));
  });
}

const [verb, ...args] = process.argv.slice(2);
if (!VERBS.includes(verb)) fail(`Unknown verb "${verb ?? ''}". Known: ${VERBS.join(', ')}.`);
run(ready(), verb, args);
