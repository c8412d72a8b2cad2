import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { testSecret } from '../database.ts'
import { until } from '../until.ts'

const main = path.join(import.meta.dirname, '../../dist/server/main.js')
const readyWithin = 30_000

/**
 * Starts the built server in its own process, or with `npm start` of the package in a folder, in a process group of its own. Its data is in
 * a folder that goes with the process unless DATA_DIR names one.
 */
export function startProcess(settings: Record<string, string>, packageFolder?: string) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-data-'))
  const child = spawn(packageFolder ? 'npm' : process.execPath, packageFolder ? ['start'] : [main], {
    cwd: packageFolder,
    detached: packageFolder !== undefined,
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      HOST: '127.0.0.1',
      PORT: '0',
      APP_SECRET: testSecret,
      LOG_LEVEL: 'error',
      DATA_DIR: dataDir,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once('exit', (code, signal) => {
      fs.rmSync(dataDir, { recursive: true, force: true })
      resolve(code ?? signal ?? 1)
    }),
  )

  return {
    /** Output so far. */
    output: () => output,
    /** The exit code, or the signal that ended it. */
    exited,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Sends a signal to npm and all processes that it has started. */
    killGroup: (signal: NodeJS.Signals) => void process.kill(-child.pid!, signal),
    /** Waits until it is ready and returns its URL. */
    async ready(): Promise<string> {
      const url = await until(() => /listens on (\S+)/.exec(output)?.[1], readyWithin)
      await until(async () => (await fetch(`${url}/health/ready`)).status === 200, readyWithin)
      return url
    },
    async stop() {
      if (packageFolder && child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
      else child.kill('SIGKILL')
      await exited
    },
  }
}

/** A server that is killed and started again. `kill` sends SIGKILL by default and resolves once the process has ended. */
export type ChildServer = { url: string; kill: (signal?: NodeJS.Signals) => Promise<void> }

/** Starts the built server on a database and waits until it is ready. */
export async function startChildServer(databaseUrl: string, settings: Record<string, string> = {}): Promise<ChildServer> {
  const child = startProcess({ DATABASE_URL: databaseUrl, ...settings })
  const ended = child.exited.then((code) => Promise.reject(new Error(`The server exited with ${code}: ${child.output()}`)))
  const url = await Promise.race([child.ready(), ended])
  return {
    url,
    async kill(signal = 'SIGKILL') {
      child.kill(signal)
      await child.exited
    },
  }
}
