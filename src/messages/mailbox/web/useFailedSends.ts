import { useEffect, useRef } from 'react'
import { toast } from '../../../ui/overlays/toast.ts'
import { type DraftData, noSubject } from './mailbox-data.ts'

/** Notifies once when an email failed to send: its draft may be in a list that is not visible. */
export function useFailedSends(drafts: readonly DraftData[] | undefined): void {
  const onTheirWay = useRef(new Set<string>())
  useEffect(() => {
    for (const { id, state, subject, problem } of drafts ?? []) {
      if (onTheirWay.current.has(id) && (state === 'failed' || state === 'unsure')) {
        toast.error(`${state === 'failed' ? 'Not sent' : 'Delivery uncertain'}: ${subject || noSubject}`, problem ?? undefined)
      }
    }
    onTheirWay.current = new Set((drafts ?? []).flatMap(({ id, state }) => (state === 'sending' ? [id] : [])))
  }, [drafts])
}
