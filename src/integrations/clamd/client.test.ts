import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eicar, startClamdSimulator } from '../../../simulators/clamd/server.ts'
import { clamdProgram, startClamd } from '../../../test/documents/clamd.ts'
import { scanBytes, ScannerError } from './client.ts'

async function* pieces(...given: (Buffer | string)[]) {
  for (const piece of given) yield Buffer.from(piece)
}
const mebibyte = Buffer.alloc(1024 * 1024, 'x')

const scanners: [string, () => Promise<{ url: string; stop: () => Promise<void> }>][] = [
  ['the simulator', () => startClamdSimulator({ streamLimit: 5 * mebibyte.length })],
]
// The machine's own ClamAV, where there is one: the simulator must say what it says.
if (clamdProgram) scanners.push(['ClamAV', () => startClamd(clamdProgram)])

describe.each(scanners)('scanning a file with %s', (_, start) => {
  let scanner: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    scanner = await start()
  })
  afterAll(() => scanner.stop())

  it('is clean, whatever the number of chunks', async () => {
    expect(await scanBytes(scanner.url, pieces('hello'))).toEqual({ isInfected: false })
    expect(await scanBytes(scanner.url, pieces(...Array.from({ length: 3000 }, () => 'a'), '', mebibyte))).toEqual({ isInfected: false })
    expect(await scanBytes(scanner.url, pieces())).toEqual({ isInfected: false })
  })

  it('is infected, even when the signature spans two chunks', async () => {
    const infected = { isInfected: true, signature: expect.stringContaining('Eicar') }
    expect(await scanBytes(scanner.url, pieces(eicar))).toEqual(infected)
    expect(await scanBytes(scanner.url, pieces(eicar.subarray(0, 30), eicar.subarray(30)))).toEqual(infected)
  })

  it('is not clean when it exceeds the scanner’s limit', async () => {
    await expect(scanBytes(scanner.url, pieces(...Array.from({ length: 40 }, () => mebibyte)))).rejects.toThrow(ScannerError)
  })

  it('passes on the error of a source that fails', async () => {
    const broken = async function* () {
      yield mebibyte
      throw new TypeError('gone')
    }
    await expect(scanBytes(scanner.url, broken())).rejects.toThrow(TypeError)
  })
})

describe('an unusable scanner', () => {
  it('throws a ScannerError when it is down, silent, hangs up or sends an invalid reply', async () => {
    const closed = await startClamdSimulator()
    await closed.stop()
    await expect(scanBytes(closed.url, pieces('a'))).rejects.toThrow(ScannerError)
    await expect(scanBytes('unix:/nowhere/clamd.sock', pieces('a'))).rejects.toThrow(ScannerError)

    const mute = await startClamdSimulator()
    mute.setUnresponsive(true)
    await expect(scanBytes(mute.url, pieces('a'), 200)).rejects.toThrow(ScannerError)
    await mute.stop()

    for (const words of ['', 'stream: ', 'stream: OK but not quite\0', 'FOUND\0', '\0']) {
      const server = net.createServer((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .end(words),
      )
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
      await expect(scanBytes(url, pieces('a'))).rejects.toThrow(ScannerError)
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
