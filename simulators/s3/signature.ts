/** Request signatures, version 4 (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

export type Keys = { accessKeyId: string; secretAccessKey: string }

const form = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/**
 * @returns the body's SHA-256 from the signed request; undefined for an unsigned body.
 * @throws Refusal for an unknown key or a wrong signature.
 */
export function checkSignature(request: IncomingMessage, url: URL, keys: Keys): string | undefined {
  const { authorization } = request.headers
  const time = String(request.headers['x-amz-date'])
  const body = String(request.headers['x-amz-content-sha256'])
  if (!authorization) throw new Refusal('AccessDenied')
  const [, id, day = '', region = '', signed = '', signature = ''] = form.exec(authorization) ?? []
  if (id === undefined) throw new Refusal('InvalidArgument')
  if (id !== keys.accessKeyId) throw new Refusal('InvalidAccessKeyId')

  const names = signed.split(';')
  const canonical = [
    request.method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signed,
    body,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`)
  if (!names.includes('host') || !timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex')))
    throw new Refusal('SignatureDoesNotMatch')

  if (body === 'UNSIGNED-PAYLOAD') return undefined
  // The other form, chunked bodies with trailing checksums, is not used by the product.
  if (!/^[0-9a-f]{64}$/.test(body)) throw new Refusal('NotImplemented')
  return body
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const canonicalQuery = (query: URLSearchParams) =>
  Array.from(query, ([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
