import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type S3Simulator, startS3Simulator } from './server.ts'

let simulator: S3Simulator
let client: S3Client
const Bucket = 'documents'
const megabyte = 1024 * 1024

beforeEach(async () => {
  simulator = await startS3Simulator({ pageSize: 2 })
  client = clientWith({})
})
afterEach(() => simulator.stop())

function clientWith(credentials: { accessKeyId?: string; secretAccessKey?: string }): S3Client {
  const { accessKeyId, secretAccessKey, url } = simulator
  return new S3Client({
    region: 'ca-central-1',
    endpoint: url,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey, ...credentials },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 1,
  })
}

const put = (Key: string, Body: string | Uint8Array) => client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'text/plain' }))

test('stores, inspects, reads in full and in part, and deletes an object', async () => {
  const { ETag } = await put("a/é (1)'s +&?.txt", '0123456789')
  expect(ETag).toBe('"781e5e245d69b566979b86e28d23f2c7"')
  const named = { Bucket, Key: "a/é (1)'s +&?.txt" }
  const head = await client.send(new HeadObjectCommand(named))
  expect(head).toMatchObject({ ContentLength: 10, ContentType: 'text/plain', ETag, LastModified: expect.any(Date) })
  const whole = await client.send(new GetObjectCommand(named))
  expect(await whole.Body?.transformToString()).toBe('0123456789')
  const part = await client.send(new GetObjectCommand({ ...named, Range: 'bytes=8-100' }))
  expect([part.$metadata.httpStatusCode, part.ContentRange, await part.Body?.transformToString()]).toEqual([206, 'bytes 8-9/10', '89'])
  await expect(client.send(new GetObjectCommand({ ...named, Range: 'bytes=10-11' }))).rejects.toMatchObject({ name: 'InvalidRange' })

  await client.send(new DeleteObjectCommand(named))
  await client.send(new DeleteObjectCommand(named))
  await expect(client.send(new GetObjectCommand(named))).rejects.toMatchObject({
    name: 'NoSuchKey',
    message: 'The specified key does not exist.',
  })
  await expect(client.send(new HeadObjectCommand(named))).rejects.toMatchObject({ name: 'NotFound' })
})

test('replaces an object with a second put', async () => {
  await put('a', 'first')
  await put('a', 'second')
  expect(await (await client.send(new GetObjectCommand({ Bucket, Key: 'a' }))).Body?.transformToString()).toBe('second')
})

test('lists keys in byte order, page by page', async () => {
  for (const key of ['b', 'a', 'é', '<&>', 'B']) await put(key, key)
  const pages = await Array.fromAsync(paginateListObjectsV2({ client }, { Bucket }))
  expect(pages.map(({ Contents }) => Contents?.map(({ Key, Size }) => [Key, Size]))).toEqual([
    [
      ['<&>', 3],
      ['B', 1],
    ],
    [
      ['a', 1],
      ['b', 1],
    ],
    [['é', 2]],
  ])
  expect(pages.map(({ IsTruncated }) => IsTruncated)).toEqual([true, true, false])
})

test('turns a multipart upload into one object on completion', async () => {
  const named = { Bucket, Key: 'large' }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...named, ContentType: 'text/plain' }))
  const bodies = [Buffer.alloc(5 * megabyte, 'a'), Buffer.from('end')]
  const Parts: { PartNumber: number; ETag: string | undefined }[] = []
  for (const [index, Body] of bodies.entries()) {
    const PartNumber = index + 1
    const { ETag } = await client.send(new UploadPartCommand({ ...named, UploadId, PartNumber, Body }))
    Parts.push({ PartNumber, ETag })
  }
  const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
  expect(Uploads).toMatchObject([{ Key: 'large', UploadId, Initiated: expect.any(Date) }])
  await expect(client.send(new HeadObjectCommand(named))).rejects.toMatchObject({ name: 'NotFound' })

  const { ETag } = await client.send(new CompleteMultipartUploadCommand({ ...named, UploadId, MultipartUpload: { Parts } }))
  expect(ETag).toMatch(/^"[0-9a-f]{32}-2"$/)
  expect(await client.send(new HeadObjectCommand(named))).toMatchObject({
    ContentLength: 5 * megabyte + 3,
    ETag,
    ContentType: 'text/plain',
  })
  expect(simulator.unfinishedUploads()).toEqual([])
})

test('refuses to complete an upload whose parts are missing, altered, out of order or too small', async () => {
  const named = { Bucket, Key: 'large' }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(named))
  const sent = [1, 2].map(async (PartNumber) => {
    const { ETag } = await client.send(new UploadPartCommand({ ...named, UploadId, PartNumber, Body: Buffer.from(`part ${PartNumber}`) }))
    return { PartNumber, ETag }
  })
  const [one, two] = (await Promise.all(sent)) as [{ PartNumber: number; ETag: string }, { PartNumber: number; ETag: string }]
  const complete = (...Parts: { PartNumber: number; ETag: string }[]) =>
    client.send(new CompleteMultipartUploadCommand({ ...named, UploadId, MultipartUpload: { Parts } }))
  await expect(complete(one, { ...two, PartNumber: 3 })).rejects.toMatchObject({ name: 'InvalidPart' })
  await expect(complete({ ...one, ETag: two.ETag })).rejects.toMatchObject({ name: 'InvalidPart' })
  await expect(complete(two, one)).rejects.toMatchObject({ name: 'InvalidPartOrder' })
  await expect(complete(one, two)).rejects.toMatchObject({ name: 'EntityTooSmall' })

  await client.send(new AbortMultipartUploadCommand({ ...named, UploadId }))
  await expect(complete(one)).rejects.toMatchObject({ name: 'NoSuchUpload' })
  expect(simulator.unfinishedUploads()).toEqual([])
})

test('refuses an unknown bucket, an unknown key, a wrong secret and no signature', async () => {
  const ask = (asking: S3Client, bucket = Bucket) => asking.send(new GetObjectCommand({ Bucket: bucket, Key: 'a' }))
  await expect(ask(client, 'another')).rejects.toMatchObject({ name: 'NoSuchBucket' })
  await expect(ask(clientWith({ accessKeyId: 'another' }))).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
  await expect(ask(clientWith({ secretAccessKey: 'another' }))).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' })
  const unsigned = await fetch(`${simulator.url}/documents/a`)
  expect([unsigned.status, await unsigned.text()]).toEqual([403, expect.stringContaining('<Code>AccessDenied</Code>')])
})

test('refuses calls that the product does not make', async () => {
  await put('a', 'x')
  const copy = client.send(new CopyObjectCommand({ Bucket, Key: 'b', CopySource: 'documents/a' }))
  await expect(copy).rejects.toMatchObject({ name: 'NotImplemented' })
})
