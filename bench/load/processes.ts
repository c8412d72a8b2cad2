import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildAll } from './build.ts'
import type { LoadAnswer, LoadOrder, LoadResult } from './protocol.ts'

export type Process = { url: string; pid: number; output: () => string; isRunning: () => boolean; stop: () => Promise<void> }

const readyWithin = 60_000
export const benchSecret = 'a7Kd93-bench-only-QzX51-nothing-is-kept'
const file = (name: string) => path.join(import.meta.dirname, name)

/** Builds our server if it is stale, and starts it. */
export function startServer(databaseUrl: string, settings: Record<string, string> = {}): Promise<Process> {
  buildAll()
  return startBuiltServer(databaseUrl, settings)
}

/** Starts the built server as `npm start` does, and waits until it is ready. */
export async function startBuiltServer(databaseUrl: string, settings: Record<string, string> = {}): Promise<Process> {
  const env = {
    NODE_ENV: 'production',
    APP_SECRET: benchSecret,
    SESSION_IDLE_MINUTES: '600', // all requests share one session without user activity
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const flags = ['--max-semi-space-size=16', ...(process.env.BENCH_NODE_FLAGS?.split(' ').filter(Boolean) ?? [])]
  const server = await startNode([...flags, file('../../dist/server/main.js')], env)
  const deadline = Date.now() + readyWithin
  while (!(await fetch(`${server.url}/health/ready`)).ok) {
    if (Date.now() > deadline) throw new Error(`The server did not become ready: ${server.output()}`)
    await wait(50)
  }
  return server
}

/** Starts the baseline server, which does the same work without our layers (see baseline/server.ts). */
export const startBare = (databaseUrl: string, settings: Record<string, string> = {}): Promise<Process> =>
  startNode([file('../baseline/server.ts')], { DATABASE_URL: databaseUrl, ...settings })

/** Starts the baseline for downloads, which serves the files of a folder (see baseline/files.ts). */
export const startBareFiles = (folder: string): Promise<Process> => startNode([file('../baseline/files.ts')], { FOLDER: folder })

/** Starts the baseline for uploads of photos, which stores their bytes in a folder as they are (see baseline/photo-uploads.ts). */
export const startBarePhotoUploads = (databaseUrl: string, folder: string): Promise<Process> =>
  startNode([file('../baseline/photo-uploads.ts')], { DATABASE_URL: databaseUrl, FOLDER: folder })

/** Starts the QuickBooks simulator in a separate process. */
export const startBooks = (): Promise<Process> =>
  startNode(
    [file('../../simulators/quickbooks/server.ts'), '--port', '0', '--client-id', 'refyne-test', '--client-secret', 'refyne-test-secret'],
    {},
  )

/** Starts a Node program and waits until it prints the URL it listens on. */
const startNode = (args: string[], settings: Record<string, string>): Promise<Process> =>
  startProgram(
    process.execPath,
    args,
    { HOST: '127.0.0.1', PORT: '0', ...settings },
    (output) => /listens on (\S+)/.exec(output)?.[1] ?? null,
  )

/** Starts a program and waits until `urlIn` finds the URL it listens on in its output. */
export async function startProgram(
  program: string,
  args: string[],
  settings: Record<string, string>,
  urlIn: (output: string) => string | null,
): Promise<Process> {
  const env = { PATH: process.env.PATH, ...settings }
  const name = [path.basename(program), ...args].join(' ')
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000)
      const found = urlIn(output)
      if (found) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`${name} exited with ${code}: ${output}`)))
  })
  let stopping = false
  child.once('exit', (code, signal) => {
    if (!stopping) process.stderr.write(`${name} exited with ${signal ?? code}\n`)
  })
  return {
    url,
    pid: child.pid!,
    output: () => output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop() {
      stopping = true
      return end(child)
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

export type Load = { ask: (order: LoadOrder) => Promise<LoadResult>; stop: () => Promise<void> }

/** Starts the load generator. One process serves both sides, so that both have the same client. */
export function startLoad(): Load {
  const child = fork(file('load.ts'), { execArgv: [] })
  return {
    async ask(order) {
      const answered = once(child, 'message') as Promise<[LoadAnswer]>
      child.send(order)
      const [answer] = await answered
      if ('error' in answer) throw new Error(`${order.url}: ${answer.error}`)
      return answer.result
    },
    stop: () => end(child),
  }
}
