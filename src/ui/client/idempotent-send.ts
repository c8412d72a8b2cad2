/** Keys of POSTs without an answer yet, by content. */
const unanswered = new Map<string, { key: string; sentAt: number }>()

/** After this long, the same content is a new request. */
const rememberedMs = 10 * 60_000
const maxRetries = 20

/**
 * Sends a POST with an `Idempotency-Key`. If its answer is lost, the same content is resent under the same key, from any dialog, so it is
 * executed once. While the server still processes the first one, the second waits for its answer.
 */
export async function idempotentSend(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
  if (request.method !== 'POST') return send(request)
  const what = `${request.url}\n${await request.clone().text()}`
  const now = Date.now()
  for (const [sent, { sentAt }] of unanswered) if (now - sentAt > rememberedMs) unanswered.delete(sent)
  const { key } = unanswered.get(what) ?? { key: crypto.randomUUID() }
  unanswered.set(what, { key, sentAt: now })
  request.headers.set('idempotency-key', key)
  for (let retries = 0; ; retries++) {
    const answer = await send(request.clone())
    if (answer.status < 500 && !(await isRunning(answer))) {
      unanswered.delete(what)
      return answer
    }
    if (answer.status >= 500 || retries === maxRetries) return answer
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get('retry-after') ?? 1)))
  }
}

async function isRunning(answer: Response): Promise<boolean> {
  if (answer.status !== 409) return false
  const { code } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { code?: unknown }
  return code === 'IDEMPOTENCY_KEY_IN_USE'
}

const uploads = new WeakMap<File, { path: string; key: string }>()

/** `Idempotency-Key` of a file: the same when the same selection is sent to the same path again. */
export function uploadKey(file: File, path: string): string {
  const known = uploads.get(file)
  if (known?.path === path) return known.key
  const key = crypto.randomUUID()
  uploads.set(file, { path, key })
  return key
}
