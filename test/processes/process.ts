import { spawn } from 'node:child_process'
import path from 'node:path'
import { testSecret } from '../database.ts'
import { until } from '../until.ts'

const main = path.join(import.meta.dirname, '../../dist/server/main.js')

/** Starts the server in a separate process. */
export function startProcess(settings: Record<string, string>) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [main], {
    env: { PATH, NODE_COMPILE_CACHE, HOST: '127.0.0.1', PORT: '0', APP_SECRET: testSecret, LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = new Promise<number | NodeJS.Signals>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal ?? 1)))

  return {
    /** Output so far. */
    output: () => output,
    /** The exit code, or the signal that ended it. */
    exited,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Waits until it is ready and returns its URL. */
    async ready(): Promise<string> {
      const url = await until(() => /listens on (\S+)/.exec(output)?.[1], 30_000)
      await until(async () => (await fetch(`${url}/health/ready`)).status === 200, 30_000)
      return url
    },
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
