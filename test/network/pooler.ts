import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'

/** The messages of one direction, put together from the chunks in which they arrive. */
function messages(onMessage: (message: Buffer, type: string) => void) {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = rest.readUInt32BE(1) + 1
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      onMessage(message, String.fromCharCode(message[0]!))
    }
  }
}

type Backend = { socket: net.Socket; onMessage: (message: Buffer, type: string) => void; parameters: Buffer[] }

/**
 * A pooler in transaction mode, as PgBouncer is: it lends one of two connections to PostgreSQL for each transaction, in turn, gives its clients
 * process ids of its own and refuses the startup parameter `options`. `databaseUrl`: with a Unix socket.
 */
export async function startPooler(databaseUrl: string, port = 0): Promise<{ url: string; stop: () => Promise<void> }> {
  const direct = new URL(databaseUrl)
  const socketFile = path.join(direct.searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const open = new Set<net.Socket>()
  const follow = (socket: net.Socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    return socket
  }

  async function connectBackend(startup: Buffer): Promise<Backend> {
    const socket = follow(net.connect(socketFile))
    const parameters: Buffer[] = []
    const ready = Promise.withResolvers<void>()
    const backend: Backend = {
      socket,
      parameters,
      onMessage(message, type) {
        if (type === 'S') parameters.push(message)
        if (type === 'Z') ready.resolve()
        if (type === 'E') ready.reject(new Error(message.toString()))
      },
    }
    socket.on(
      'data',
      messages((message, type) => backend.onMessage(message, type)),
    )
    socket.write(startup)
    await ready.promise
    return backend
  }

  /** The free connections of a role, in turn, and the clients that wait for one. */
  const pools = new Map<string, { free: Backend[]; waiting: ((backend: Backend) => void)[]; made: Promise<unknown> }>()
  function poolOf(startup: Buffer) {
    const key = startup.toString('latin1')
    const known = pools.get(key)
    if (known) return known
    const pool = { free: [] as Backend[], waiting: [] as ((backend: Backend) => void)[], made: Promise.resolve() as Promise<unknown> }
    pool.made = Promise.all([1, 2].map(async () => pool.free.push(await connectBackend(startup))))
    pools.set(key, pool)
    return pool
  }

  function serve(client: net.Socket, startup: Buffer) {
    const pool = poolOf(startup)
    let backend: Backend | null = null
    let unanswered = 0
    const waiting: Buffer[] = []
    const takeBack = (returned: Backend) => {
      const next = pool.waiting.shift()
      if (next) next(returned)
      else pool.free.push(returned)
    }
    const lend = (lent: Backend) => {
      backend = lent
      lent.onMessage = (message, type) => {
        client.write(message)
        if (type !== 'Z' || --unanswered > 0 || message[5] !== 0x49) return
        backend = null
        takeBack(lent)
      }
      for (const message of waiting.splice(0)) lent.socket.write(message)
    }
    client.on('close', () => {
      pool.waiting = pool.waiting.filter((one) => one !== lend)
      if (!backend) return
      // A transaction that its client left open ends with the connection, and another one takes its place.
      backend.socket.destroy()
      connectBackend(startup).then(takeBack, () => {})
    })
    const ask = () => {
      const free = pool.free.shift()
      if (free) lend(free)
      else pool.waiting.push(lend)
    }
    client.on(
      'data',
      messages((message, type) => {
        if (type === 'X') return void client.end()
        if (type === 'Q' || type === 'S') unanswered++
        if (backend) return void backend.socket.write(message)
        if (waiting.push(message) === 1) ask()
      }),
    )
    pool.made.then(
      () => {
        const key = Buffer.from([0x4b, 0, 0, 0, 12, 0, 0, 0, 7, 0, 0, 0, 7])
        const parameters = pool.free.concat()[0]?.parameters ?? []
        client.write(
          Buffer.concat([Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]), ...parameters, key, Buffer.from([0x5a, 0, 0, 0, 5, 0x49])]),
        )
      },
      () => client.destroy(),
    )
  }

  const server = net.createServer((socket) => {
    const client = follow(socket)
    client.once('data', (startup: Buffer) => {
      if (!startup.includes('\0options\0')) return serve(client, startup)
      const fields = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: options\0\0')
      const head = Buffer.alloc(5)
      head.write('E')
      head.writeUInt32BE(fields.length + 4, 1)
      client.end(Buffer.concat([head, fields]))
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as net.AddressInfo
  return {
    url: `postgresql://${direct.username}@127.0.0.1:${address.port}${direct.pathname}`,
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
