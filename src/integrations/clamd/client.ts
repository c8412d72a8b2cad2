/** Scans bytes for malware with ClamAV's INSTREAM command: each chunk is preceded by its length, and a length of 0 ends the stream. */
import { once } from 'node:events'
import net from 'node:net'
import { addAbortSignal } from 'node:stream'
import { observeCall } from '../calls.ts'

/** `signature`: ClamAV's name of the malware. */
export type Verdict = { isInfected: false } | { isInfected: true; signature: string }

/** No usable response; retrying later may help. */
export class ScannerError extends Error {}

/** Milliseconds per file: the daemon unpacks its content. */
const responseTimeoutMs = 60_000

/** @param url tcp://host:port, or unix:/path/of/its/socket @throws ScannerError; and any error of `bytes` */
export const scanBytes = (url: string, bytes: AsyncIterable<Uint8Array>, timeout = responseTimeoutMs): Promise<Verdict> =>
  observeCall(
    { vendor: 'clamd', outcomeOf: () => 'ok', outcomeOfError: (error) => (error instanceof ScannerError ? 'away' : 'cancelled') },
    () => scan(url, bytes, timeout),
  )

async function scan(url: string, bytes: AsyncIterable<Uint8Array>, timeout: number): Promise<Verdict> {
  const socket = addAbortSignal(AbortSignal.timeout(timeout), net.connect(placeOf(url)))
  socket.on('error', () => {}) // reading it fails with the same
  const isOver = new AbortController()
  const answer = readAnswer(socket).finally(() => isOver.abort())
  answer.catch(() => {})
  try {
    // The daemon may respond early and close the connection: the response counts.
    await send(socket, bytes, isOver.signal)
    const reply = await answer.catch((cause: unknown) => {
      throw new ScannerError('The virus scanner did not answer', { cause })
    })
    return verdictOf(reply)
  } finally {
    socket.destroy()
  }
}

async function send(socket: net.Socket, bytes: AsyncIterable<Uint8Array>, until: AbortSignal): Promise<void> {
  for await (const piece of framed(bytes)) {
    if (until.aborted) return
    if (!socket.write(piece)) await once(socket, 'drain', { signal: until }).catch(() => {})
  }
}

function placeOf(url: string): net.NetConnectOpts {
  const { protocol, hostname, port, pathname } = new URL(url)
  return protocol === 'unix:' ? { path: decodeURIComponent(pathname) } : { host: hostname, port: Number(port) }
}

async function* framed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('zINSTREAM\0')
  for await (const piece of bytes) {
    if (piece.byteLength === 0) continue // that would be the end
    yield lengthOf(piece.byteLength)
    yield piece
  }
  yield lengthOf(0)
}

function lengthOf(size: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(size)
  return length
}

/** Reads up to the terminating zero byte, or the end of the connection. */
async function readAnswer(socket: net.Socket): Promise<string> {
  let text = ''
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += String(piece)
    if (text.includes('\0')) break
  }
  return text.split('\0')[0]!
}

function verdictOf(answer: string): Verdict {
  if (answer === 'stream: OK') return { isInfected: false }
  const signature = /^stream: (.+) FOUND$/s.exec(answer)?.[1]
  if (signature === undefined) throw new ScannerError(`The virus scanner reply: ${answer.slice(0, 200)}`)
  return { isInfected: true, signature }
}
