import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { testSecret } from '../database.ts'

const main = path.join(import.meta.dirname, '../../dist/server/main.js')

export type ChildServer = {
  url: string
  process: ChildProcess
  output: () => string
  kill: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts the server in a separate process, as `npm start` does, and waits until it is ready. */
export async function startChildServer(databaseUrl: string, settings: Record<string, string> = {}): Promise<ChildServer> {
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    HOST: '127.0.0.1',
    PORT: '0',
    APP_SECRET: testSecret,
    DATABASE_URL: databaseUrl,
    ...settings,
  }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /listens on (\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`The server exited with ${code}: ${output}`)))
  })
  while (
    !(await fetch(`${url}/health/ready`).then(
      (response) => response.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`The server exited with ${child.exitCode}: ${output}`)
  }
  return {
    url,
    process: child,
    output: () => output,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
      return child.exitCode
    },
  }
}
