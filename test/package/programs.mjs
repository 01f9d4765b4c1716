import { spawn } from 'node:child_process';

/**
 * Runs a program to its end and answers what it wrote to standard output. What it wrote to both
 * outputs is the `output` of the error that a non-zero exit, a signal or the time limit causes.
 */
export function run(command, args, { cwd, env = {}, shell = false, timeout = 300_000 }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      shell,
      timeout,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(stdout);
      const ending = `${command} ${args.join(' ')} ended with ${signal ?? `code ${code}`}`;
      reject(Object.assign(new Error(ending), { output: `${output}\n${ending}` }));
    });
  });
}

/** Runs npm; on Windows it is a batch file, which only a shell can start. */
export function npm(args, options) {
  return run('npm', args, { ...options, shell: process.platform === 'win32' });
}

/**
 * Installs what the package.json of a folder names, without install scripts and without a lock
 * file.
 */
export function npmInstall(cwd, ...flags) {
  return npm(
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--no-package-lock',
      '--loglevel=error',
      ...flags,
    ],
    { cwd },
  );
}
