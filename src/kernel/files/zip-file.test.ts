import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { until } from '../../../test/until.ts'
import { unzip } from '../../../test/zip.ts'
import { type AddToZip, zipBytes } from './zip-file.ts'

const madeOf = async (fill: (add: AddToZip) => Promise<void>) => unzip(await buffer(zipBytes(fill)))

describe('issue 9: a zip is made while it is sent', () => {
  it('gives back any files, packed or not, whole or in pieces', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 5 })
    const files = fc.array(fc.record({ pieces, isPacked: fc.boolean(), isWhole: fc.boolean() }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const entries = await madeOf(async (add) => {
          for (const [index, { pieces: some, isPacked, isWhole }] of given.entries())
            await add(`é/${index}.bin`, isWhole ? Buffer.concat(some) : inPieces(some), { isPacked })
        })
        expect([...entries].map(([name, bytes]) => [name, bytes.toString('hex')])).toEqual(
          given.map(({ pieces: some }, index) => [`é/${index}.bin`, Buffer.concat(some).toString('hex')]),
        )
      }),
      { numRuns: 50 },
    )
  })

  it('opens a file only once the one before has been taken', async () => {
    let open = 0
    const entries = await madeOf(async (add) => {
      for (let i = 0; i < 20; i++) {
        const bytes = async function* () {
          expect(++open).toBe(1)
          for (let piece = 0; piece < 10; piece++) yield Buffer.alloc(50_000, i)
          open--
        }
        await add(`${i}`, bytes())
      }
    })
    expect(entries.size).toBe(20)
  })

  it('a file that fails, fails all of it: it never looks whole', async () => {
    const failing = async function* () {
      yield Buffer.from('half of it')
      throw new Error('The store is away')
    }
    await expect(madeOf((add) => add('a', failing()))).rejects.toThrow('The store is away')
    await expect(madeOf(() => Promise.reject(new Error('Nothing can be read')))).rejects.toThrow('Nothing can be read')
  })

  it('anyone who stops listening closes what is read, and what would come next', async () => {
    const closed: string[] = []
    const endless = async function* (name: string) {
      try {
        for (;;) yield Buffer.alloc(100_000)
      } finally {
        closed.push(name)
      }
    }
    let failure: unknown
    const bytes = zipBytes(async (add) => {
      try {
        await add('first', endless('first'), { isPacked: true })
      } catch (error) {
        failure = error
        await add('second', endless('second'))
      }
    })
    for await (const chunk of bytes) if (chunk.length > 1_000) break
    await until(() => closed.includes('first'))
    await until(() => failure instanceof Error)
  })
})

async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}
