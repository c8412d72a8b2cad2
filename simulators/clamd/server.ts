/** Simulates ClamAV's daemon: the commands PING and INSTREAM over TCP, with configurable signatures. */
import net, { type AddressInfo } from 'node:net'

/** The harmless test file that every scanner detects, split in two so that scanners don't flag this source file. */
export const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''))

interface Options {
  port?: number
  host?: string
  /** The bytes to detect, by signature name. */
  signatures?: Readonly<Record<string, Buffer>>
  /** In bytes: longer streams are refused. ClamAV's own StreamMaxLength by default. */
  streamLimit?: number
}

export async function startClamdSimulator(options: Options = {}) {
  const { port = 0, host = '127.0.0.1', signatures = { 'Eicar-Test-Signature': eicar }, streamLimit = 100 * 1024 * 1024 } = options
  const sockets = new Set<net.Socket>()
  let mute = false
  let scans = 0

  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    if (!mute) void serve(socket).catch(() => socket.destroy())
  })

  async function serve(socket: net.Socket) {
    const bytes = reader(socket)
    const command = await bytes.until(0)
    if (command === 'zPING') return socket.end('PONG\0')
    if (command !== 'zINSTREAM') return socket.end('UNKNOWN COMMAND\0')
    const pieces: Buffer[] = []
    let size = 0
    for (;;) {
      const length = (await bytes.take(4)).readUInt32BE()
      if (length === 0) break
      size += length
      if (size > streamLimit) return socket.end('INSTREAM size limit exceeded. ERROR\0')
      pieces.push(await bytes.take(length))
    }
    scans++
    const whole = Buffer.concat(pieces)
    const found = Object.entries(signatures).find(([, signature]) => whole.includes(signature))
    return socket.end(found ? `stream: ${found[0]} FOUND\0` : 'stream: OK\0')
  }

  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return {
    url: `tcp://${host}:${(server.address() as AddressInfo).port}`,
    /** The number of streams scanned to the end. */
    scans: () => scans,
    /** Accepts connections without responding, or responds again. */
    setUnresponsive(value: boolean) {
      mute = value
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Reads a number of bytes from a stream, or up to a given byte. @throws when the stream ends early. */
function reader(socket: net.Socket) {
  const source = socket.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  let held = Buffer.alloc(0)
  const more = async () => {
    const next = await source.next()
    if (next.done) throw new Error('The stream ended early')
    held = Buffer.concat([held, next.value])
  }
  const take = async (length: number): Promise<Buffer> => {
    while (held.length < length) await more()
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }
  return {
    take,
    async until(end: number): Promise<string> {
      while (!held.includes(end)) await more()
      return (await take(held.indexOf(end) + 1)).subarray(0, -1).toString('latin1')
    },
  }
}
