import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { observeCall, type Outcome } from '../calls.ts'
import { inChunks } from '../../shared/chunks.ts'
import { checkKey, checkRange, chunksOf, type FileStore, isKey, KeyTakenError, unfinishedFor, webStream } from './store.ts'

export type S3Options = {
  bucket: string
  /** Defaults to Amazon's. Other endpoints are addressed by path: `endpoint/bucket/key`. */
  endpoint?: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Of the keys in the bucket, such as 'clinic/'; none by default. Everything outside is left alone. */
  prefix?: string
  /** How long a connection may be idle; defaults to 60 seconds. */
  silenceSeconds?: number
}

/** A file's bytes in memory at a time: a smaller file goes in one request, a larger one in parts of this size (10,000 at most: 80 GB). */
const partSize = 8 * 1024 * 1024

/** What the bytes are is said where they are handed out. */
const ContentType = 'application/octet-stream'

/**
 * Files in a bucket. A put is refused for a key that is taken when it begins. Whatever in the bucket has no name of ours is left alone.
 * The keys need the rights to get, put and delete objects, to list the bucket, and to list and abort its multipart uploads.
 */
export function openS3Store({ bucket: Bucket, prefix = '', silenceSeconds = 60, ...options }: S3Options): FileStore {
  const client = new S3Client({
    region: options.region,
    endpoint: options.endpoint,
    forcePathStyle: options.endpoint !== undefined,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    // Checksums at the end of a body are news to some servers, which store them as part of the file. Bodies are signed with their hash anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: silenceSeconds * 1000,
      requestTimeout: Math.max(180, silenceSeconds) * 1000,
      throwOnRequestTimeout: true,
    },
  })

  // Around the attempts of a request, of which the package makes up to three.
  client.middlewareStack.add(
    (next) => (request) => observeCall({ vendor: 's3', outcomeOf: () => 'ok', outcomeOfError }, () => next(request)),
    { step: 'initialize', name: 'observe' },
  )

  return {
    async put(key, bytes, options = {}) {
      checkKey(key)
      const Key = prefix + key
      if (await exists(Key)) throw new KeyTakenError(`There is a file ${key} already`)
      const request = { abortSignal: options.signal }
      const sent: { PartNumber: number; ETag?: string }[] = []
      let upload: Upload | null = null
      let mayBeThere = false
      try {
        for await (const { bytes: body, isLast } of inChunks(chunksOf(bytes, options), partSize)) {
          if (isLast && !upload) {
            mayBeThere = true
            await client.send(new PutObjectCommand({ Bucket, Key, Body: body, ContentType }), request)
            return
          }
          upload ??= {
            Bucket,
            Key,
            UploadId: (await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType }), request)).UploadId,
          }
          const part = { ...upload, PartNumber: sent.length + 1, Body: body }
          const { ETag } = await client.send(new UploadPartCommand(part), request)
          sent.push({ PartNumber: part.PartNumber, ETag })
        }
        mayBeThere = true
        await client.send(new CompleteMultipartUploadCommand({ ...upload!, MultipartUpload: { Parts: sent } }), request)
      } catch (error) {
        // The service may have been done when it was given up on. What cannot be cleared now is cleared by list() and anyone who sweeps.
        if (upload) await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
        if (mayBeThere) await client.send(new DeleteObjectCommand({ Bucket, Key })).catch(() => {})
        throw options.signal?.aborted ? options.signal.reason : error
      }
    },

    async get(key, range) {
      checkKey(key)
      const Key = prefix + key
      if (range) checkRange(range)
      try {
        const found = await client.send(new GetObjectCommand({ Bucket, Key, ...(range && { Range: `bytes=${range[0]}-${range[1]}` }) }))
        if (range && !found.ContentRange) throw new Error(`S3 returned the whole of ${key} instead of bytes ${range.join(' to ')}`)
        const size = Number(found.ContentRange?.split('/').at(-1) ?? found.ContentLength)
        return { size, bytes: webStream(found.Body as Readable) }
      } catch (error) {
        if (isCalled(error, 'NoSuchKey', 'NotFound')) return null
        if (isCalled(error, 'InvalidRange')) throw new RangeError(`${key} has no byte ${range?.[0]}`, { cause: error })
        throw error
      }
    },

    async has(key) {
      checkKey(key)
      return exists(prefix + key)
    },

    async delete(key) {
      checkKey(key)
      await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + key }))
    },

    async *list() {
      await abortUnfinished()
      for await (const page of paginateListObjectsV2({ client }, { Bucket, ...(prefix && { Prefix: prefix }) })) {
        for (const { Key, LastModified, Size } of page.Contents ?? []) {
          const key = ownKey(Key)
          if (key !== null && LastModified) yield { key, modifiedAt: LastModified, size: Size ?? 0 }
        }
      }
    },
  }

  /** The key of an object; null for what has no name of ours. */
  function ownKey(name: string | undefined): string | null {
    const key = name?.startsWith(prefix) ? name.slice(prefix.length) : ''
    return isKey(key) ? key : null
  }

  async function exists(Key: string): Promise<boolean> {
    try {
      await client.send(new HeadObjectCommand({ Bucket, Key }))
      return true
    } catch (error) {
      if (isCalled(error, 'NoSuchKey', 'NotFound')) return false
      throw error
    }
  }

  /** Parts of uploads whose writer died are seen nowhere and paid for; up to 1,000 a time. A service that cannot list them has to expire them. */
  async function abortUnfinished(): Promise<void> {
    try {
      const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket, ...(prefix && { Prefix: prefix }) }))
      for (const { Key, UploadId, Initiated } of Uploads ?? []) {
        if (!Key || ownKey(Key) === null || !Initiated || Initiated.getTime() >= Date.now() - unfinishedFor) continue
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
      }
    } catch (error) {
      if (!isCalled(error, 'NotImplemented', 'AccessDenied', 'MethodNotAllowed', 'NoSuchUpload')) throw error
    }
  }
}

type Upload = { Bucket: string; Key: string; UploadId: string | undefined }

/** A file that is not there is an answer as well. */
function outcomeOfError(error: unknown): Outcome {
  if (error instanceof Error && error.name === 'AbortError') return 'cancelled'
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0
  if (status === 401 || status === 403) return 'credentials'
  if (status === 429 || isCalled(error, 'SlowDown')) return 'limited'
  if (status === 404 || status === 416) return 'ok'
  return status >= 400 && status < 500 ? 'refused' : 'away'
}

const isCalled = (error: unknown, ...names: string[]): boolean => error instanceof S3ServiceException && names.includes(error.name)
