import { rateLimitKey } from '../../kernel/http/requests.ts'
import { readBytes } from '../../kernel/http/read-bytes.ts'
import type { Scope } from '../../kernel/scope.ts'
import { createConcurrencyLimit } from '../../kernel/workers/concurrency-limit.ts'
import { WorkerError } from '../../kernel/workers/worker-pool.ts'
import { knownCertificates } from './keys.ts'
import { maxPdfBytes, verificationRefusals } from './rules.ts'
import { verifyPdf } from './verify.ts'

/** Each verification holds the file in memory. */
const acquire = createConcurrencyLimit({ maxConcurrent: 4 })

/**
 * POST /api/verify: whether the PDF in the body is as this practice sealed it. Open to anyone, so it says nothing that is not in the seal. The file
 * is neither stored nor logged.
 */
export async function verificationResponse(scope: Scope, request: Request): Promise<Response> {
  if (!(await scope.attempts.consume('pdfVerification', rateLimitKey(scope.origin.address)))) return refusal('TOO_MANY_REQUESTS')
  if (!/^application\/pdf\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) return refusal('UNSUPPORTED_CONTENT_TYPE')
  if (Number(request.headers.get('content-length')) > maxPdfBytes) return refusal('BODY_TOO_LARGE')
  const slot = await acquire(scope)
  if (!slot) return refusal('BUSY')
  try {
    const bytes = await readBytes(request, maxPdfBytes)
    if (!bytes) return refusal('BODY_TOO_LARGE')
    return Response.json(await verifyPdf(bytes, await knownCertificates(scope)), { headers: { 'cache-control': 'no-store' } })
  } catch (error) {
    if (error instanceof WorkerError && error.reason !== 'failed') return refusal('BUSY')
    throw error
  } finally {
    slot.end()
  }
}

// The rest of the body is not read, so the connection is closed.
function refusal(code: keyof typeof verificationRefusals): Response {
  const { status, message } = verificationRefusals[code]
  return Response.json({ code, message }, { status, headers: { connection: 'close' } })
}
