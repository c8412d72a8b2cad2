import { Readable } from 'node:stream'
import { byteOrderMark } from '../shared/csv.ts'

/** Whoever takes nothing for so long is given up, with what is held for them. In milliseconds. */
const patience = 60_000

/** A file of these lines to be saved under this name, sent as fast as it is read; whoever goes away ends the reading. */
export function csvAnswer(name: string, lines: AsyncIterable<string>, onEnd?: () => void): Response {
  const bytes = async function* () {
    yield Buffer.from(byteOrderMark)
    for await (const text of lines) {
      const timer = setTimeout(() => source.destroy(new Error('Nobody reads this file any more')), patience)
      try {
        yield Buffer.from(text)
      } finally {
        clearTimeout(timer)
      }
    }
  }
  const source = Readable.from(bytes(), { objectMode: true, highWaterMark: 1 })
  source.once('close', () => onEnd?.())
  return new Response(Readable.toWeb(source) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    },
  })
}
