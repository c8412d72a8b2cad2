import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, codeOf, messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { DraftKeeper } from './draft-store.ts'
import { discardKept, keeperOf } from './draft-stores.ts'

/** Saves pending changes and sends the draft; the draft itself shows the result. */
export function useSendDraft() {
  const cache = useQueryClient()
  const [isBusy, setBusy] = useState(false)

  /** Returns the refusal's code and message; null: it is being sent. */
  async function send(id: string, saved: number): Promise<{ code: string | null; message: string } | null> {
    setBusy(true)
    try {
      const keeper = keeperOf(id)
      if (keeper && (!keeper.isSaved || keeper.view().version === 0) && !(await keeper.save())) return say(null, unsavedBecause(keeper))
      const version = keeper?.view().version ?? saved
      const sent = await client.mailbox.sendDraft({ id, version })
      discardKept(id)
      cache.setQueryData(orpc.mailbox.drafts.queryKey(), (before) => before && [sent, ...before.filter((draft) => draft.id !== id)])
      toast.info('Sending…')
      return null
    } catch (error) {
      const code = codeOf(error)
      if (code === 'RECONNECT' || code === 'NOT_CONNECTED') void cache.invalidateQueries({ queryKey: orpc.mailbox.connection.key() })
      if (code === 'CONFLICT' || code === 'NOT_FOUND') void cache.invalidateQueries({ queryKey: orpc.mailbox.drafts.key() })
      return say(code, statusOf(error) === 0 ? lost : messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { send, isBusy }
}

const lost = 'The connection was lost. What you wrote is kept.'

function say(code: string | null, message: string) {
  toast.error('The email was not sent', message)
  return { code, message }
}

function unsavedBecause(keeper: DraftKeeper): string {
  const { refusal } = keeper.view()
  if (refusal?.kind === 'refused') return refusal.message
  return refusal === null || refusal.kind === 'lost' ? lost : 'It was changed in another window. See what stands above your words.'
}
