/** A bucket's objects and unfinished uploads. Their bytes are in a folder, so that large files take no memory. */
import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from './refusal.ts'

/** Bytes on disk. `etag` is in quotes, as in S3. */
type Stored = { file: string; size: number; etag: string }
type StoredObject = Stored & { modifiedAt: Date; contentType: string }
type Upload = { key: string; contentType: string; startedAt: Date; parts: Map<number, Stored> }

/** In bytes, for every part except the last. */
const minPartSize = 5 * 1024 * 1024
const maxParts = 10_000

export class Bucket {
  readonly #folder: string
  readonly #objects = new Map<string, StoredObject>()
  readonly #uploads = new Map<string, Upload>()

  constructor(folder: string) {
    this.#folder = folder
  }

  object(key: string): StoredObject {
    const found = this.#objects.get(key)
    if (!found) throw new Refusal('NoSuchKey')
    return found
  }

  /** In byte order of their keys. */
  objects(): [key: string, object: StoredObject][] {
    return [...this.#objects].toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  }

  uploads(): { key: string; uploadId: string; startedAt: Date; parts: number }[] {
    return Array.from(this.#uploads, ([uploadId, { key, startedAt, parts }]) => ({ key, uploadId, startedAt, parts: parts.size }))
  }

  /** @param sha256 the expected digest; undefined to skip the check. */
  async put(key: string, bytes: AsyncIterable<Buffer>, contentType: string, sha256: string | undefined): Promise<string> {
    const stored = await this.#store(bytes, sha256)
    this.#keep(key, stored, contentType)
    return stored.etag
  }

  delete(key: string): void {
    const found = this.#objects.get(key)
    this.#objects.delete(key)
    if (found) fs.rmSync(found.file)
  }

  createUpload(key: string, contentType: string): string {
    const uploadId = randomUUID()
    this.#uploads.set(uploadId, { key, contentType, startedAt: new Date(), parts: new Map() })
    return uploadId
  }

  async putPart(key: string, uploadId: string, part: number, bytes: AsyncIterable<Buffer>, sha256: string | undefined): Promise<string> {
    if (!Number.isInteger(part) || part < 1 || part > maxParts) throw new Refusal('InvalidArgument')
    this.#upload(key, uploadId)
    const stored = await this.#store(bytes, sha256)
    const { parts } = this.#upload(key, uploadId)
    const replaced = parts.get(part)
    parts.set(part, stored)
    if (replaced) fs.rmSync(replaced.file)
    return stored.etag
  }

  /** Joins the listed parts into one object. */
  async completeUpload(key: string, uploadId: string, listed: readonly { part: number; etag: string }[]): Promise<string> {
    const upload = this.#upload(key, uploadId)
    if (listed.length === 0) throw new Refusal('MalformedXML')
    const parts = listed.map(({ part, etag }, index) => {
      if (index > 0 && part <= listed[index - 1]!.part) throw new Refusal('InvalidPartOrder')
      const stored = upload.parts.get(part)
      if (!stored || unquoted(stored.etag) !== unquoted(etag)) throw new Refusal('InvalidPart')
      return stored
    })
    if (parts.slice(0, -1).some(({ size }) => size < minPartSize)) throw new Refusal('EntityTooSmall')
    const { file, size } = await this.#store(readAll(parts), undefined)
    const digests = createHash('md5')
    for (const { etag } of parts) digests.update(Buffer.from(unquoted(etag), 'hex'))
    const etag = `"${digests.digest('hex')}-${parts.length}"`
    this.#keep(key, { file, size, etag }, upload.contentType)
    this.abortUpload(key, uploadId)
    return etag
  }

  abortUpload(key: string, uploadId: string): void {
    const { parts } = this.#upload(key, uploadId)
    this.#uploads.delete(uploadId)
    for (const { file } of parts.values()) fs.rmSync(file)
  }

  #upload(key: string, uploadId: string): Upload {
    const found = this.#uploads.get(uploadId)
    if (found?.key !== key) throw new Refusal('NoSuchUpload')
    return found
  }

  #keep(key: string, stored: Stored, contentType: string): void {
    this.delete(key)
    // S3 has whole seconds.
    this.#objects.set(key, { ...stored, contentType, modifiedAt: new Date(Math.floor(Date.now() / 1000) * 1000) })
  }

  /** Leaves no file behind if the stream fails or the digest does not match. */
  async #store(bytes: AsyncIterable<Buffer>, sha256: string | undefined): Promise<Stored> {
    const file = path.join(this.#folder, randomUUID())
    const [digest, etag] = [createHash('sha256'), createHash('md5')]
    let size = 0
    try {
      await pipeline(
        bytes,
        async function* (source: AsyncIterable<Buffer>) {
          for await (const chunk of source) {
            size += chunk.length
            digest.update(chunk)
            etag.update(chunk)
            yield chunk
          }
        },
        fs.createWriteStream(file),
      )
      if (sha256 !== undefined && digest.digest('hex') !== sha256) throw new Refusal('XAmzContentSHA256Mismatch')
    } catch (error) {
      fs.rmSync(file, { force: true })
      throw error
    }
    return { file, size, etag: `"${etag.digest('hex')}"` }
  }
}

async function* readAll(parts: readonly Stored[]): AsyncGenerator<Buffer> {
  for (const { file } of parts) yield* fs.createReadStream(file) as AsyncIterable<Buffer>
}

const unquoted = (etag: string) => etag.replaceAll('"', '')
