import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { until } from '../../../test/until.ts'
import { unzip } from '../../../test/formats/zip.ts'
import { type AddToZip, zipBytes } from './zip-file.ts'

const madeOf = async (fill: (add: AddToZip) => Promise<void>) => unzip(await buffer(zipBytes(fill)))

describe('streamed zips', () => {
  it('contain any files, compressed or not, from buffers or streams', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 5 })
    const files = fc.array(fc.record({ pieces, isCompressed: fc.boolean(), isWhole: fc.boolean() }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const entries = await madeOf(async (add) => {
          for (const [index, { pieces: some, isCompressed: isPacked, isWhole }] of given.entries())
            await add(`é/${index}.bin`, isWhole ? Buffer.concat(some) : inPieces(some), { isCompressed: isPacked })
        })
        expect([...entries].map(([name, bytes]) => [name, bytes.toString('hex')])).toEqual(
          given.map(({ pieces: some }, index) => [`é/${index}.bin`, Buffer.concat(some).toString('hex')]),
        )
      }),
      { numRuns: 50 },
    )
  })

  it('open a file only once the previous one is consumed', async () => {
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

  it('fail entirely if one file fails, and never look complete', async () => {
    const failing = async function* () {
      yield Buffer.from('half')
      throw new Error('The file store is unavailable')
    }
    await expect(madeOf((add) => add('a', failing()))).rejects.toThrow('The file store is unavailable')
    await expect(madeOf(() => Promise.reject(new Error('The files cannot be read')))).rejects.toThrow('The files cannot be read')
  })

  it('close the current and later sources when the consumer stops reading', async () => {
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
        await add('first', endless('first'), { isCompressed: true })
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
