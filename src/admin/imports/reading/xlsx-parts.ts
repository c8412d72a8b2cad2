import yauzl from 'yauzl'
import { CsvError } from './csv.ts'
import { type Handlers, parseXml } from './xml.ts'

/**
 * Sizes in bytes when unpacked. 100 MB of text compress to about 10 MB; a blank sheet or a zip bomb compress much further. `kept` limits
 * the parts read before the sheet, which stay in memory. `directory` limits the zip's list of parts. The others are counts, each well
 * beyond what Excel allows or people use.
 */
export const limits = {
  parts: 5_000,
  directory: 4 * 1024 * 1024,
  unpacked: 600 * 1024 * 1024,
  kept: 64 * 1024 * 1024,
  ratio: 100,
  texts: 2_000_000,
  styles: 100_000,
  formats: 10_000,
  sheets: 1_000,
  name: 255,
}
const ratioExemptSize = 10 * 1024 * 1024

/** For damaged files, and for other files named like a spreadsheet. */
export const unreadableError = () =>
  new CsvError('NOT_CSV', 'This spreadsheet cannot be read. Save it as .xlsx or CSV without a password, and try again.')
/** `what` completes the sentence 'This file has …'. */
export const tooComplexError = (what: string) =>
  new CsvError(
    'TOO_COMPLEX',
    `This file has ${what}. Save the sheet as CSV in your spreadsheet program, or split it into several files, and try again.`,
  )
export const formatThousands = (count: number): string => count.toLocaleString('en-CA')
export const formatMegabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`

export const createParser = (handlers: Handlers) => parseXml(handlers, { broken: unreadableError, tooLarge: tooComplexError })

/** `limit` is the maximum number of bytes unpacked in total by the end of the part. */
export type Parts = { has: (name: string) => boolean; read: (name: string, limit: number) => AsyncGenerator<string> }

export async function openParts(file: string): Promise<Parts & { close: () => void }> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false }).catch(() => Promise.reject(unreadableError()))
  const entries = new Map<string, yauzl.Entry>()
  try {
    if (zip.entryCount > limits.parts) throw tooComplexError(`more than ${formatThousands(limits.parts)} parts`)
    let directory = 0
    for await (const entry of zip.eachEntry()) {
      directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (directory > limits.directory) throw tooComplexError(`a list of parts of more than ${formatMegabytes(limits.directory)}`)
      entries.set(entry.fileName.replace(/^\//, ''), entry)
    }
  } catch (error) {
    zip.close()
    throw error instanceof CsvError ? error : unreadableError()
  }
  let [unpacked, packed] = [0, 0]
  async function* read(name: string, limit: number): AsyncGenerator<string> {
    const entry = entries.get(name)
    if (!entry) return
    if (entry.isEncrypted()) throw unreadableError()
    packed += entry.compressedSize
    const decoder = new TextDecoder()
    const stream = await zip.openReadStreamPromise(entry).catch(() => Promise.reject(unreadableError()))
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        unpacked += chunk.byteLength
        if (unpacked > limit)
          throw tooComplexError(
            `more than ${formatMegabytes(limit)} of ${limit === limits.kept ? 'text, styles and sheet names' : 'contents'} when unpacked`,
          )
        if (unpacked > ratioExemptSize && unpacked > limits.ratio * packed)
          throw tooComplexError(`contents that unpack to more than ${limits.ratio} times their size`)
        yield decoder.decode(chunk, { stream: true })
      }
    } catch (error) {
      throw error instanceof CsvError ? error : unreadableError()
    } finally {
      stream.destroy()
    }
  }
  return { has: (name) => entries.has(name), read, close: () => zip.close() }
}

/** Parses a part that stays in memory. */
export async function parse(parts: Parts, name: string, handlers: Handlers): Promise<void> {
  const parser = createParser(handlers)
  for await (const text of parts.read(name, limits.kept)) parser.write(text)
  parser.end()
}
