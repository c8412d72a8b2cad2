import { useEffect, useRef } from 'react'
import { toast } from '../../../ui/overlays/toast.ts'
import { type DraftData, noSubject } from './mailbox-data.ts'

/** Says once that a mail which was on its way did not go out: its draft is in a list that may not be in sight. */
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
