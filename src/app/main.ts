import { errorCode } from '../kernel/errors.ts'
import { UnreachableDataError } from '../kernel/postgres/embedded-postgres.ts'
import { readEnv, SettingsError } from '../kernel/env.ts'
import { startServer } from './serve.ts'

/** Milliseconds: the maximum time for requests in flight once the process is asked to stop. */
const stopWithin = 18_000

try {
  const env = readEnv(process.env)
  const server = await startServer(env, {
    onSetupLink: (link) => console.log(`\nThere is no administrator yet. Open this link once to create the first one:\n\n  ${link}\n`),
  })
  console.log(`Refyne listens on ${server.url} (opened at ${env.APP_URL})`)

  let asked = false
  const stop = () => {
    if (asked) return
    asked = true
    setTimeout(() => process.exit(0), stopWithin).unref()
    void server.stop().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
} catch (error) {
  if (error instanceof SettingsError || error instanceof UnreachableDataError)
    console.error(`Refyne cannot start:\n${error.message.replace(/^/gm, '  ')}`)
  else if (errorCode(error) === 'EADDRINUSE') {
    const { port } = error as NodeJS.ErrnoException & { port: number }
    const setting = port === Number(process.env.METRICS_PORT) ? 'METRICS_PORT' : 'PORT'
    console.error(`Refyne cannot start:\n  Port ${port} is in use. Set ${setting} to a free one: each process needs its own.`)
  } else console.error(error)
  process.exit(1)
}
