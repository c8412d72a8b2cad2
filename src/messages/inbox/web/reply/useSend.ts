import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { fieldErrorsOf } from '../../../../ui/client/refusal.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { inboxMessages } from '../../contract.ts'

/** Sends a message. The same content uses the same key, so it is sent only once, however often it is tried. */
export function useSend() {
  const cache = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const sent = useRef<{ content: string; key: string } | null>(null)
  const closeFailure = useRef<(() => void) | null>(null)

  /** Null: it was not sent, and the error was shown: by `tell` if it returns true, otherwise here. */
  async function send<Content extends object, Result>(
    content: Content,
    call: (content: Content & { idempotencyKey: string }) => Promise<Result>,
    { failed = inboxMessages.send, tell }: { failed?: string; tell?: (error: unknown) => boolean } = {},
  ): Promise<Result | null> {
    if (isBusy) return null
    const text = JSON.stringify(content)
    if (sent.current?.content !== text) sent.current = { content: text, key: crypto.randomUUID() }
    setBusy(true)
    try {
      const result = await call({ ...content, idempotencyKey: sent.current.key })
      sent.current = null
      closeFailure.current?.()
      void cache.invalidateQueries({ queryKey: orpc.inbox.key() })
      return result
    } catch (error) {
      if (tell?.(error)) return null
      const isLost = statusOf(error) === 0
      closeFailure.current?.()
      closeFailure.current = toast.error(
        failed,
        isLost
          ? 'The connection was lost. Your text is saved, and you can safely send it again: it won’t be sent twice.'
          : (fieldErrorsOf(error)['html'] ?? messageOf(error)),
      )
      return null
    } finally {
      setBusy(false)
    }
  }
  return { send, isBusy }
}
