import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { postgresOwner } from '../../src/kernel/postgres/embedded-postgres.ts'
import { until } from '../../test/until.ts'

/** A pooler in transaction mode that can be killed, started again and led to another server. */
export type Pooler = {
  /** The database's URL through the pooler. */
  url: string
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Leads to another server, given its URL with a Unix socket, as the script of a failover does. */
  leadTo: (databaseUrl: string) => Promise<void>
  stop: () => Promise<void>
}

export const isPgBouncerInstalled = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0

/** Starts PgBouncer in transaction mode before the database of this URL, which has a Unix socket. Everyone is trusted. */
export async function startPgBouncer(databaseUrl: string, port: number): Promise<Pooler> {
  const direct = new URL(databaseUrl)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-pgbouncer-'))
  const [ini, users] = [path.join(folder, 'pgbouncer.ini'), path.join(folder, 'users.txt')]
  const name = direct.pathname.slice(1)
  let child: ChildProcess

  const write = (url: string) =>
    fs.writeFileSync(
      ini,
      `[databases]
${name} = host=${new URL(url).searchParams.get('host')} port=5432 dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_login_retry = 1
log_connections = 0
log_disconnections = 0
`,
    )
  const start = async () => {
    // PgBouncer refuses to run as root.
    child = spawn('pgbouncer', ['-q', ini], { stdio: 'ignore', ...postgresOwner() })
    await until(() => isListening(port))
  }

  fs.chmodSync(folder, 0o755)
  fs.writeFileSync(users, '"postgres" ""\n"refyne_app" ""\n')
  write(databaseUrl)
  await start()
  return {
    url: `postgresql://${direct.username}@127.0.0.1:${port}/${name}`,
    kill: () => end(child, 'SIGKILL'),
    start,
    async leadTo(url) {
      write(url)
      child.kill('SIGHUP')
    },
    async stop() {
      await end(child, 'SIGKILL')
      fs.rmSync(folder, { recursive: true })
    },
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
