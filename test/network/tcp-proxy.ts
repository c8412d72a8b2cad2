import net from 'node:net'
import path from 'node:path'

export type TcpProxy = {
  /** The database's URL through the proxy. */
  url: string
  /** Breaks every connection and refuses new ones, like a stopped server. */
  cut: () => Promise<void>
  /** Drops all traffic, like a lost network, without refusing connections. */
  pause: () => void
  /** Restores normal operation. */
  restore: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts a proxy to the test database whose connections can be broken. `databaseUrl`: its URL, with a Unix socket. */
export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const direct = new URL(databaseUrl)
  const socketFile = path.join(direct.searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const open = new Set<net.Socket>()
  let paused = false
  let server: net.Server
  let port = 0

  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server = net.createServer((client) => {
        const database = net.connect(socketFile)
        for (const [from, to] of [
          [client, database],
          [database, client],
        ] as const) {
          open.add(from)
          from.on('data', (chunk) => paused || to.write(chunk))
          from.on('error', () => {})
          from.on('close', () => {
            open.delete(from)
            to.destroy()
          })
        }
      })
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        port = (server.address() as net.AddressInfo).port
        resolve()
      })
    })
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of open) socket.destroy()
    await closed
  }

  await listen()
  return {
    url: `postgresql://${direct.username}@127.0.0.1:${port}${direct.pathname}`,
    cut,
    pause: () => {
      paused = true
    },
    async restore() {
      if (paused) await cut() // dropped traffic is lost, so existing connections are unusable
      paused = false
      if (!server.listening) await listen()
    },
    stop: cut,
  }
}
